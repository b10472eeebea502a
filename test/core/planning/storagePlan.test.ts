/** What holds for every plan whatever its inputs: it is made, it has no NaN, its parts add up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOfPreset, planPresets } from '../../../src/core/planning/inputs/presets.js';
import type { PlanInputs } from '../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../src/core/pages/plan/planPage.js';
import { planDocument, randomDocument } from '../../builders/randomPlan.js';
import { runs } from '../../builders/seed.js';

/** Paths of numbers that are none, and of texts that say so. */
function wrongValues(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isNaN(value) ? [`${path} is NaN`] : [];
  if (typeof value === 'string')
    return /\b(NaN|undefined|null|(?<!ZeRO-)Infinity)\b|\[object/.test(value) ? [`${path}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => wrongValues(inner, `${path}.${key}`));
}

/** Numbers of a chart that cannot be drawn. */
function undrawable(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => undrawable(inner, `${path}.${key}`));
}

describe('any plan', () => {
  it('is made and worded without NaN', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const plan = makePlan(document);
        const page = planPage(plan, document);
        expect(wrongValues(plan)).toEqual([]);
        expect(wrongValues(page)).toEqual([]);
        expect(undrawable(page.sections.map(({ charts }) => charts))).toEqual([]);
      }),
      runs(40, 2000),
    );
  });

  it('has rows as wide as their tables, and log axes above 0', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const page = planPage(makePlan(document), document);
        for (const section of page.sections) {
          for (const table of [...section.tables, ...section.charts.map((chart) => chart.table)])
            for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
          for (const chart of section.charts) {
            const axes = chart.kind === 'lines' ? [chart.x, chart.y] : [chart.x];
            for (const { scale, domain } of axes) {
              expect(domain[1]).toBeGreaterThan(domain[0]);
              if (scale === 'log') expect(domain[0]).toBeGreaterThan(0);
            }
          }
        }
      }),
      runs(20, 1000),
    );
  });

  it('has parts that sum to the checkpoint', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const { size } = makePlan(document);
        const sum = size.parts.reduce((total, { bytes }) => total + bytes, 0);
        expect(Math.abs(sum - size.checkpointBytes)).toBeLessThanOrEqual(size.checkpointBytes * 1e-12);
        expect(size.weightBytes).toBeLessThanOrEqual(size.checkpointBytes);
      }),
      runs(20, 1000),
    );
  });

  it('writes all of a checkpoint and no more', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const { size, save } = makePlan(document);
        const { writers } = save;
        const written = writers.largestWriterBytes * writers.writers;
        expect(written).toBeGreaterThanOrEqual(size.checkpointBytes * (1 - 1e-9));
        expect(writers.largestNodeBytes).toBeLessThanOrEqual(size.checkpointBytes * (1 + 1e-9));
        expect(writers.writers).toBeLessThanOrEqual(save.topology.gpus);
      }),
      runs(20, 1000),
    );
  });
});

describe('more bandwidth', () => {
  const factor = fc.double({ min: 1, max: 1000, noNaN: true });
  const rate = fc.double({ min: 1e3, max: 1e12, noNaN: true });

  it('never lengthens a save nor raises the overlap of an interval', () => {
    fc.assert(
      fc.property(
        randomDocument,
        rate,
        factor,
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (document, slow, times, intervalSeconds) => {
          const at = (writeBytesPerSecond: number) =>
            makePlan({ ...document, inputs: { ...document.inputs, intervalSeconds, writeBytesPerSecond } });
          const [before, after] = [at(slow), at(slow * times)];
          expect(after.save.saveSeconds).toBeLessThanOrEqual(before.save.saveSeconds);
          expect(after.save.overlap).toBeLessThanOrEqual(before.save.overlap);
          const lost = ({ save, levels }: typeof after) => 1 - save.shares.training + levels.furtherLossShare;
          expect(lost(after)).toBeLessThanOrEqual(lost(before) + 1e-12);
        },
      ),
      runs(20, 1000),
    );
  });

  it('never lengthens a restore', () => {
    fc.assert(
      fc.property(randomDocument, rate, factor, (document, slow, times) => {
        const at = (readBytesPerSecond: number) => makePlan({ ...document, inputs: { ...document.inputs, readBytesPerSecond } });
        for (const [index, way] of at(slow * times).restore.ways.entries())
          expect(way.seconds).toBeLessThanOrEqual(at(slow).restore.ways[index]?.seconds ?? 0);
      }),
      runs(20, 1000),
    );
  });
});

it('never trains less where failures are rarer', () => {
  const seconds = fc.double({ min: 1, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(randomDocument, seconds, fc.double({ min: 1, max: 3, noNaN: true }), (document, mtbf, factor) => {
      const at = (mtbfSeconds: number) => makePlan({ ...document, inputs: { ...document.inputs, mtbfSeconds, stallSeconds: 5 } });
      const [often, rarely] = [at(mtbf), at(mtbf * factor)];
      expect(rarely.study.best.goodput).toBeGreaterThanOrEqual(often.study.best.goodput - 1e-12);
    }),
    runs(20, 1000),
  );
});

describe('presets', () => {
  it.each(planPresets.map((preset) => [preset.id, preset] as const))('%s is possible', (_, preset) => {
    const document = documentOfPreset(preset);
    expect(planPage(makePlan(document), document).impossible).toEqual([]);
  });
});

it('reads null as not given', () => {
  const inputs: Partial<PlanInputs> = { intervalSeconds: null };
  expect(makePlan(planDocument(inputs)).save.intervalBasis).not.toBe('given');
});
