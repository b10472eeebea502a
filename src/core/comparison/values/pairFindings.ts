/** What the values of two checkpoints show together: frozen layers, a few kinds of modules that changed, a rounded copy. */
import type { Finding } from '../../findings/finding.js';
import { describeFinding, describeFindings } from '../../findings/describeFindings.js';
import type { SideName } from '../comparedCheckpoint.js';
import type { ComparisonFinding } from '../comparisonReport.js';
import { storedDtypeOf } from '../modelRows.js';
import type { TensorMatch } from '../matchTensors.js';
import type { PairResult } from './pairTask.js';
import type { PlannedSide } from './planPairs.js';
import { shownRoundings } from './rounding.js';
import { stackLayers } from './stackLayers.js';

/** Modules that an adapter usually has; of more kinds it says nothing that only these changed. */
const mostModules = 8;

export function pairFindings(
  results: readonly PairResult[],
  match: TensorMatch,
  a: PlannedSide,
  b: PlannedSide,
  isSample: boolean,
): ComparisonFinding[] {
  const read = results.filter(({ problem, sums }) => problem === null && sums.compared > 0);
  const telling = read.filter(({ sums }) => !(sums.isEqual && sums.isConstant));
  const findings = [
    ...roundedCopy(read, match, a, b, isSample),
    ...frozenLayers(telling, match, a, read.length, isSample),
    ...modulesOf(telling, match, a, read.length),
  ];
  return [
    ...notFinite(read, 'a', (pair) => a.table.nameOf(match.pairs.a[pair] as number)),
    ...notFinite(read, 'b', (pair) => b.table.nameOf(match.pairs.b[pair] as number)),
    ...describeFindings(findings).map((finding) => ({ ...finding, side: null })),
  ];
}

/** How many values of a side are NaN or infinite, also where the other side has the same ones. */
function notFinite(results: readonly PairResult[], side: SideName, nameOf: (pair: number) => string): ComparisonFinding[] {
  const countOf = ({ sums }: PairResult): number => (side === 'a' ? sums.notFiniteA : sums.notFiniteB);
  const odd = results.filter((result) => countOf(result) > 0).sort((one, other) => one.pair - other.pair);
  const [first] = odd;
  if (first === undefined) return [];
  const facts = {
    values: odd.reduce((sum, result) => sum + countOf(result), 0),
    tensors: odd.length,
    first: nameOf(first.pair),
    differing: odd.filter(({ sums }) => sums.notFinite > 0).length,
  };
  return [{ ...describeFinding({ code: 'compared-values-not-finite', facts }), side }];
}

/** Where every tensor that differs is the rounded one of the other side, of one side and to one type, and one of them shows it. */
function roundedCopy(
  results: readonly PairResult[],
  { pairs }: TensorMatch,
  a: PlannedSide,
  b: PlannedSide,
  isSample: boolean,
): Finding[] {
  const different = results.filter(({ sums }) => !sums.isEqual);
  const [first, ...others] = different;
  const common = first?.sums.rounded.find((own) =>
    others.every(({ sums }) => sums.rounded.some(({ of, to }) => of === own.of && to === own.to)),
  );
  const isShown = different.some(({ sums }) => shownRoundings(sums).some(({ of, to }) => of === common?.of && to === common.to));
  if (first === undefined || common === undefined || !isShown) return [];
  const [rowA, rowB] = [pairs.a[first.pair] as number, pairs.b[first.pair] as number];
  const [ofA, ofB] = [storedDtypeOf(a.table, rowA), storedDtypeOf(b.table, rowB)];
  const [own, other] = common.of === 'a' ? [ofA, ofB] : [ofB, ofA];
  const facts = { rounded: common.of.toUpperCase(), dtype: common.to, from: other, storedAs: own };
  return [
    {
      code: 'weights-rounded',
      facts: { ...facts, tensors: different.length, equal: results.length - different.length, isSample },
    },
  ];
}

/** Layers in which all values are equal, where most tensors of all others differ: one that was edited shows nothing of the rest. */
function frozenLayers(
  results: readonly PairResult[],
  { pairs }: TensorMatch,
  { table }: PlannedSide,
  of: number,
  isSample: boolean,
): Finding[] {
  const rows = results.map(({ pair }) => pairs.a[pair] as number);
  const layerOf = stackLayers(table, rows);
  const layers = new Map<string, { equal: number; different: number }>();
  let different = 0;
  for (const { pair, sums } of results) {
    if (!sums.isEqual) different += 1;
    const layer = layerOf(pairs.a[pair] as number);
    const counts = layers.get(layer) ?? { equal: 0, different: 0 };
    if (layer !== '') layers.set(layer, counts);
    counts[sums.isEqual ? 'equal' : 'different'] += 1;
  }
  const frozen = [...layers].filter(([, counts]) => counts.different === 0).map(([layer]) => layer);
  const trained = [...layers.values()].filter((counts) => counts.different > 0);
  const areTrained = trained.every((counts) => counts.different > counts.equal);
  if (frozen.length === 0 || trained.length === 0 || !areTrained) return [];
  return [{ code: 'layers-frozen', facts: { layers: frozen, tensors: different, of, isSample } }];
}

/** Where tensors of a few kinds of modules differ, and none of others. */
function modulesOf(results: readonly PairResult[], { pairs }: TensorMatch, { table }: PlannedSide, of: number): Finding[] {
  const changed = new Set<string>();
  const equal = new Set<string>();
  let tensors = 0;
  for (const { pair, sums } of results) {
    const name = table.nameOf(pairs.a[pair] as number);
    // A parameter of the model itself is in no module.
    const module = name.split('.').at(-2) ?? name;
    if (!sums.isEqual) tensors += 1;
    (sums.isEqual ? equal : changed).add(module);
    if (changed.size > mostModules) return [];
  }
  const isApart = ![...changed].some((module) => equal.has(module));
  if (changed.size === 0 || equal.size === 0 || !isApart) return [];
  return [{ code: 'modules-changed', facts: { modules: [...changed].sort(), tensors, of } }];
}
