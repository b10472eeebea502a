/** Where values of two checkpoints differ, as a picture of layers and kinds of tensors. */
import { describe, expect, it } from 'vitest';
import {
  distanceLevels,
  valueHeatMap,
  type HeatCell,
  type ValueHeatMap,
} from '../../../src/core/pages/comparison/valueHeatMap.js';
import { hostileTexts } from '../../builders/hostileReport.js';

type Value = Parameters<typeof valueHeatMap>[0][number];

const differs = (name: string, relativeL2: number | null): Value => ({ name, isEqual: false, relativeL2 });
const equal = (name: string): Value => ({ name, isEqual: true, relativeL2: 0 });

function mapOf(values: readonly Value[], notRead: { name: string; reason: string }[] = []): ValueHeatMap {
  const map = valueHeatMap(values, { notRead });
  if (map === null) throw new Error('there is no map');
  return map;
}

function cellAt(map: ValueHeatMap, kind: string, layer: string): HeatCell {
  const cell = map.cells[map.kinds.indexOf(kind) * map.layers.length + map.layers.indexOf(layer)];
  if (cell === undefined) throw new Error(`there is no ${kind} in ${layer}`);
  return cell;
}

describe('heat map of values', () => {
  it('has a row for each kind and a column for each layer by its number', () => {
    const map = mapOf([
      differs('model.layers.10.q.weight', 0.1),
      differs('model.layers.2.q.weight', 0.01),
      equal('model.layers.2.k.weight'),
      equal('model.norm.weight'),
    ]);
    expect(map.kinds).toEqual(['q.weight', 'k.weight', 'model.norm.weight']);
    expect(map.layers).toEqual(['', '2', '10']);
    expect(cellAt(map, 'q.weight', '10')).toEqual({
      look: 'different',
      level: 7,
      tensor: 'model.layers.10.q.weight',
      words: 'layer 10, q.weight: relative L2 0.1',
    });
    expect(cellAt(map, 'k.weight', '2')).toMatchObject({ look: 'equal', level: 0, words: 'layer 2, k.weight: equal' });
    expect(cellAt(map, 'model.norm.weight', '')).toMatchObject({ look: 'equal', words: 'model.norm.weight: equal' });
    expect(cellAt(map, 'k.weight', '10')).toMatchObject({ look: 'absent', tensor: null });
    expect(map.summary).toBe('Heat map of 3 kinds of tensors in 3 columns: 2 equal and 2 different.');
    expect(map.leftOut).toBe('');
  });

  it('has a level for each power of ten', () => {
    const levelOf = (distance: number): number => mapOf([differs('w', distance)]).cells[0]?.level ?? NaN;
    expect([5, 1, 0.5, 0.1, 0.05, 0.001, 1e-6, 9e-7, 1e-30, 5e-324].map(levelOf)).toEqual([8, 8, 7, 7, 6, 5, 2, 1, 1, 1]);
    expect(distanceLevels).toBe(8);
  });

  it('distinguishes what differs without a distance and what was not compared', () => {
    const reason = 'The shapes differ.';
    const map = mapOf([differs('h.0.zero', null), differs('h.0.nan', 0)], [{ name: 'h.0.other', reason }]);
    expect(map.cells.map(({ look }) => look)).toEqual(['unlike', 'unlike', 'unread']);
    expect(map.cells[0]?.words).toBe('layer 0, zero: differs, without a distance');
    expect(map.cells[2]?.words).toBe('layer 0, other: not compared. The shapes differ.');
    expect(map.summary).toContain('0 equal, 2 different and 1 not compared');
  });

  it('keeps stacks of one number apart by what is before it', () => {
    const map = mapOf([equal('encoder.layers.0.w'), differs('decoder.layers.0.w', 1)]);
    expect(map.kinds).toEqual(['encoder.layers.*.w', 'decoder.layers.*.w']);
    expect(map.layers).toEqual(['0']);
  });

  it('puts experts into one cell where there are too many kinds otherwise', () => {
    const experts = (count: number): Value[] =>
      Array.from({ length: count }, (_, expert) =>
        expert === 3 ? differs(`layers.0.experts.${expert}.w`, 0.01) : equal(`layers.0.experts.${expert}.w`),
      );
    expect(mapOf(experts(8)).kinds).toHaveLength(8);
    const map = mapOf(experts(128));
    expect(map.kinds).toEqual(['experts.*.w']);
    expect(map.cells).toEqual([
      {
        look: 'different',
        level: 6,
        tensor: 'layers.0.experts.3.w',
        words: 'layer 0, experts.*.w: 128 tensors, 127 equal; the one that differs most: relative L2 0.01',
      },
    ]);
  });

  it('is bounded, and says what it leaves out', () => {
    const names = Array.from({ length: 10_000 }, (_, index) =>
      equal(`layers.${index}.kind_${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index % 7)}.w`),
    );
    const map = mapOf(names);
    expect(map.cells.length).toBeLessThanOrEqual(40 * 256);
    expect(map.leftOut).toBe('Not drawn: 142 more kinds of tensors and 9,744 more layers. The table has them.');
  });

  it('shows names of files as text, and is none without values', () => {
    const map = mapOf([
      differs(`layers.0.${hostileTexts.bidi}`, 1),
      equal('__proto__'),
      equal('constructor.0.toString'),
      equal(''),
    ]);
    expect(map.cells.filter(({ look }) => look !== 'absent')).toHaveLength(4);
    expect(JSON.stringify([map.kinds, map.cells.map(({ words }) => words)])).not.toMatch(/[\u202e\u2066]/);
    expect(valueHeatMap([], { notRead: [] })).toBeNull();
  });

  it('takes no number that no layer has as a layer', () => {
    const map = mapOf([equal('12345678901.w'), equal('layers.99999999999999999999.w'), equal('0.weight')]);
    expect(map.layers).toEqual(['']);
  });
});
