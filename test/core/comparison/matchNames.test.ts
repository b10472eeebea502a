/** Pairs of names: in whatever order, with names that are there several times, and with wrappers. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalName } from '../../../src/core/comparison/canonicalName.js';
import { matchNames } from '../../../src/core/comparison/matchNames.js';
import { modelRows } from '../../../src/core/comparison/modelRows.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

function rowsOf(names: readonly string[]) {
  const table = new TensorTable();
  for (const name of names) table.add({ name, dtype: 'f32', shape: [2], bytes: 8, component: 'weights' });
  return modelRows(table);
}

function pairsOf(a: readonly string[], b: readonly string[]): [number, number, boolean][] {
  const { ofA, ofB, isRenamed } = matchNames(rowsOf(a), rowsOf(b));
  const pairs = a.flatMap((_, row): [number, number, boolean][] =>
    ofA[row] === -1 ? [] : [[row, ofA[row] as number, isRenamed[row] === 1]],
  );
  for (const [row, other] of pairs) expect(ofB[other]).toBe(row);
  expect([...ofB].filter((row) => row !== -1)).toHaveLength(pairs.length);
  return pairs;
}

/** The same as one would do it by hand: the n-th of a name with the n-th of it, then single canonical names of what is left. */
function expectedPairs(a: readonly string[], b: readonly string[]): [number, number, boolean][] {
  const nth = (names: readonly string[]): string[] =>
    names.map((name, at) => `${name} ${names.slice(0, at).filter((other) => other === name).length}`);
  const [ofA, ofB] = [nth(a), nth(b)];
  const equal = ofA.flatMap((key, row): [number, number, boolean][] =>
    ofB.includes(key) ? [[row, ofB.indexOf(key), false]] : [],
  );
  const restA = a.map((_, row) => row).filter((row) => !equal.some(([own]) => own === row));
  const restB = b.map((_, row) => row).filter((row) => !equal.some(([, other]) => other === row));
  const single = (names: readonly string[], rows: readonly number[], key: string): number | undefined => {
    const found = rows.filter((row) => canonicalName(names[row] ?? '') === key);
    return found.length === 1 ? found[0] : undefined;
  };
  const renamed = restA.flatMap((row): [number, number, boolean][] => {
    const key = canonicalName(a[row] ?? '');
    const other = single(b, restB, key);
    return other === undefined || single(a, restA, key) === undefined ? [] : [[row, other, true]];
  });
  return [...equal, ...renamed].sort(([one], [other]) => one - other);
}

const name = fc
  .tuple(
    fc.constantFrom('', 'model.', 'module.', 'module.model.'),
    fc.constantFrom('', '_orig_mod.'),
    fc.constantFrom('a.w', 'b.w', 'c'),
  )
  .map((parts) => parts.join(''));
const names = fc.array(name, { maxLength: 8 });

it('are those that one would find by hand', () => {
  fc.assert(
    fc.property(names, names, (a, b) => {
      expect(pairsOf(a, b)).toEqual(expectedPairs(a, b));
    }),
  );
  // Beginnings that are the same.
  fc.assert(
    fc.property(names, names, names, (same, a, b) => {
      expect(pairsOf([...same, ...a], [...same, ...b])).toEqual(expectedPairs([...same, ...a], [...same, ...b]));
    }),
  );
});

it('are found once in a file with one name a hundred thousand times', () => {
  const many = Array.from({ length: 100_000 }, () => 'module.a.w');
  expect(pairsOf(['first', ...many], many)).toHaveLength(many.length);
});
