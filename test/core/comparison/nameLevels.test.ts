/** Levels that all names of one side have, at a cost that grows with the number of names alone. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { matchNames } from '../../../src/core/comparison/matchNames.js';
import { commonLevel, matchByLevel } from '../../../src/core/comparison/nameLevels.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

function sideOf(names: readonly string[]) {
  const table = new TensorTable();
  for (const name of names) table.add({ name, dtype: 'f32', shape: [], bytes: 4, component: 'weights' });
  return { table, rows: Uint32Array.from(names, (_, row) => row) };
}

const namesOf = (count: number, level: string): string[] =>
  Array.from({ length: count }, (_, at) => `${level}layers.${at}.weight`);

/** Elements of all arrays that a call goes through or copies by iteration. */
function iteratedBy(call: () => void): number {
  const own = Object.getOwnPropertyDescriptor(Array.prototype, Symbol.iterator) as PropertyDescriptor;
  const iterate = own.value as (this: unknown[]) => ArrayIterator<unknown>;
  let elements = 0;
  const counted = function (this: unknown[]): ArrayIterator<unknown> {
    elements += this.length;
    return iterate.call(this);
  };
  Object.defineProperty(Array.prototype, Symbol.iterator, { ...own, value: counted });
  try {
    call();
  } finally {
    Object.defineProperty(Array.prototype, Symbol.iterator, own);
  }
  return elements;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a level before all names', () => {
  const count = 3_000;

  it('costs each name a few steps', () => {
    const [a, b] = [sideOf(namesOf(count, '')), sideOf(namesOf(count, 'foreign.'))];
    const partners = matchNames(a, b);
    const decoded = [vi.spyOn(a.table, 'nameOf'), vi.spyOn(b.table, 'nameOf')] as const;
    const elements = iteratedBy(() => matchByLevel(a, b, partners));
    expect([...partners.ofA]).toEqual([...a.rows]);
    expect(elements).toBeLessThan(count * 100);
    expect(decoded[0].mock.calls.length + decoded[1].mock.calls.length).toBeLessThanOrEqual(count * 4);
  });

  it('is compared with the names of all pairs as bytes', () => {
    const [a, b] = [sideOf(namesOf(count, '')), sideOf(namesOf(count, 'fremd-ä.'))];
    const decoded = [vi.spyOn(a.table, 'nameOf'), vi.spyOn(b.table, 'nameOf')] as const;
    const pairs = Array.from(a.rows, (row) => [row, row] as const);
    expect(commonLevel(a.table, b.table, pairs)).toEqual({ side: 'b', before: '', level: 'fremd-ä.', names: count });
    expect(decoded.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it.each([
    ['another level', ['x.a', 'y.b']],
    ['another place', ['x.a', 'b.x.']],
    ['another rest', ['x.a', 'x.c']],
    ['no level', ['x.a', 'b']],
  ])('is none where a pair has %s', (_, [first = '', second = '']) => {
    const [a, b] = [sideOf(['a', 'b']), sideOf([first, second])];
    expect(
      commonLevel(a.table, b.table, [
        [0, 0],
        [1, 1],
      ]),
    ).toBeUndefined();
  });
});
