/** From the sums of pairs to what the report has of values: of each tensor, of each layer, and of all together. */
import { shownRoundings } from './rounding.js';
import { limits } from '../../bytes/limits.js';
import { stackLayers } from './stackLayers.js';
import type { Sample } from '../../values/valueTask.js';
import type { ComparisonReport, LayerDifference, OptimizerValues, ValueDifference } from '../comparisonReport.js';
import { formOf, wholeElementsOf } from '../modelRows.js';
import type { TensorMatch } from '../matchTensors.js';
import type { RowGroup } from '../places/matchPlaces.js';
import { addSums, noSums, type PairResult, type PairSums } from './pairTask.js';
import type { PairsPlan, PlannedSide } from './planPairs.js';

export interface ValueSources {
  /** Of the model, then of the optimizer. */
  match: Pick<TensorMatch, 'pairs' | 'fused'>;
  /** How many pairs are of the model. */
  modelPairs: number;
  a: PlannedSide;
  b: PlannedSide;
  plan: PairsPlan;
  results: readonly PairResult[];
  sample: Sample | undefined;
}

/** The values of the model in a report. */
export function valueDifferences(sources: ValueSources): Required<Pick<ComparisonReport, 'values' | 'valuesCompared'>> {
  const { match, a, plan, results, sample, modelPairs } = sources;
  const { read, notRead, nameOf } = readPairsOf(sources, (pair) => pair < modelPairs);
  const layers = layersOf(read, match, a, plan.ofCodes);
  const equal = read.filter(({ sums }) => sums.isEqual).length;
  const resized = read.filter(({ pair }) => plan.commonRows.has(pair)).length;
  return {
    values: differencesOf(read, sources),
    valuesCompared: {
      tensors: read.length,
      equal,
      different: read.length - equal,
      ...(resized > 0 && { resized }),
      layers: layers.slice(0, limits.comparedDifferences),
      layerCount: layers.length,
      sample: sample ?? null,
      notRead: [
        ...notRead.slice(0, limits.comparedDifferences).map(({ pair, reason }) => ({ name: nameOf(pair), reason })),
        ...match.fused.slice(0, Math.max(0, limits.comparedDifferences - notRead.length)).map((group) => fusedNotRead(a, group)),
      ],
      notReadCount: notRead.length + match.fused.length,
      bytesRead: results.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    },
  };
}

/** The values of the optimizer; undefined where no pair is of it. */
export function optimizerValues(sources: ValueSources): OptimizerValues | undefined {
  const { match, modelPairs, plan } = sources;
  if (match.pairs.a.length === modelPairs) return undefined;
  const { read, notRead, nameOf } = readPairsOf(sources, (pair) => pair >= modelPairs);
  // One that was resized is another one, even where the rows that both have are equal.
  const different = read.filter(({ pair, sums }) => !sums.isEqual || plan.commonRows.has(pair));
  return {
    tensors: read.length,
    equal: read.length - different.length,
    different: different.length,
    differences: differencesOf(different, sources),
    notRead: notRead.slice(0, limits.comparedDifferences).map(({ pair, reason }) => ({ name: nameOf(pair), reason })),
    notReadCount: notRead.length,
  };
}

/** Pairs that were read and those that were not, by their numbers. */
function readPairsOf(
  { match, a, plan, results }: ValueSources,
  isOne: (pair: number) => boolean,
): { read: PairResult[]; notRead: PairsPlan['notRead']; nameOf: (pair: number) => string } {
  const own = results.filter(({ pair }) => isOne(pair));
  return {
    read: own.filter(({ problem }) => problem === null).sort((one, other) => one.pair - other.pair),
    notRead: [
      ...plan.notRead.filter(({ pair }) => isOne(pair)),
      ...own.flatMap(({ pair, problem }) => (problem === null ? [] : [{ pair, reason: problem }])),
    ].sort((one, other) => one.pair - other.pair),
    nameOf: (pair) => a.table.nameOf(match.pairs.a[pair] as number),
  };
}

function differencesOf(read: readonly PairResult[], { match, a, b, plan }: ValueSources): ValueDifference[] {
  const kept = new Set(mostDifferent(read, plan.ofCodes));
  return read.filter((result) => kept.has(result)).map((result) => differenceOf(result, match, a, b, plan));
}

function fusedNotRead({ table }: PlannedSide, group: RowGroup): { name: string; reason: string } {
  return { name: table.nameOf(group.a[0] as number), reason: 'Several tensors of one side are together on the other.' };
}

/** Those with the largest relative distance, and no more than a list may have. */
function mostDifferent(results: readonly PairResult[], ofCodes: ReadonlySet<number>): readonly PairResult[] {
  if (results.length <= limits.comparedDifferences) return results;
  const weightOf = ({ pair, sums }: PairResult): number =>
    sums.isEqual ? -1 : ofCodes.has(pair) ? Infinity : (measuresOf(sums).relativeL2 ?? Infinity);
  return [...results].sort((one, other) => compare(weightOf(other), weightOf(one))).slice(0, limits.comparedDifferences);
}

/** Also of two infinities. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function differenceOf(
  { pair, sums }: PairResult,
  { pairs }: Pick<TensorMatch, 'pairs'>,
  a: PlannedSide,
  b: PlannedSide,
  { ofCodes, commonRows }: PairsPlan,
): ValueDifference {
  const [row, other] = [pairs.a[pair] as number, pairs.b[pair] as number];
  const [name, nameInB] = [a.table.nameOf(row), b.table.nameOf(other)];
  const common = commonRows.get(pair);
  return {
    name,
    ...(nameInB !== name && { nameInB }),
    elements: wholeElementsOf(a.table, row),
    compared: sums.compared,
    isEqual: sums.isEqual,
    ...(ofCodes.has(pair) ? noMeasures : measuresOf(sums)),
    notFinite: sums.notFinite,
    notFiniteIn: { a: sums.notFiniteA, b: sums.notFiniteB },
    ...(common !== undefined && {
      rows: { common, a: formOf(a.table, row).shape[0] ?? 0, b: formOf(b.table, other).shape[0] ?? 0 },
    }),
    ...roundedOf(sums),
    ...(ofCodes.has(pair) && { areCodes: true as const }),
  };
}

/** What equal values are rounded to says nothing. */
function roundedOf(sums: PairSums): Pick<ValueDifference, 'isRounded' | 'roundedTo'> {
  const [first] = shownRoundings(sums);
  return sums.isEqual || sums.finite === 0 || first === undefined ? {} : { isRounded: true, roundedTo: first.to };
}

type Measures = Pick<ValueDifference, 'maxAbs' | 'meanAbs' | 'cosine' | 'relativeL2'>;

const noMeasures: Measures = { maxAbs: null, meanAbs: null, cosine: null, relativeL2: null };

function measuresOf({ finite, maxAbs, sumAbs, dot, squaresA, squaresB, squaresOfDifference }: PairSums): Measures {
  if (finite === 0) return noMeasures;
  const norms = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  // Rounding may put it a little beyond 1.
  const cosine = Math.min(1, Math.max(-1, dot / norms));
  return {
    maxAbs,
    meanAbs: finiteOrNull(sumAbs / finite),
    cosine: norms > 0 ? finiteOrNull(cosine) : null,
    relativeL2: squaresA > 0 ? finiteOrNull(Math.sqrt(squaresOfDifference) / Math.sqrt(squaresA)) : null,
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

interface LayerSums {
  layer: string;
  tensors: number;
  equal: number;
  elements: number;
  sums: PairSums;
}

/** In the order of their first tensor in A. Codes are in no distance. */
function layersOf(
  results: readonly PairResult[],
  { pairs }: Pick<TensorMatch, 'pairs'>,
  { table }: PlannedSide,
  ofCodes: ReadonlySet<number>,
): LayerDifference[] {
  const rows = results.map(({ pair }) => pairs.a[pair] as number);
  const layerOf = stackLayers(table, rows);
  const layers = new Map<string, LayerSums>();
  for (const { pair, sums } of results) {
    const row = pairs.a[pair] as number;
    const layer = layerOf(row);
    const own = layers.get(layer) ?? { layer, tensors: 0, equal: 0, elements: 0, sums: noSums() };
    layers.set(layer, own);
    own.tensors += 1;
    if (sums.isEqual) own.equal += 1;
    own.elements += wholeElementsOf(table, row);
    if (!ofCodes.has(pair)) addSums(own.sums, sums);
  }
  return [...layers.values()].map(({ sums, ...rest }) => ({ ...rest, ...measuresOf(sums) }));
}
