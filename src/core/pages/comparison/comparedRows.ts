/** Rows of the tables of a comparison, for the panel: each list of the report as one table. */
import { labelOfComponent } from '../../checkpoints/segments.js';
import type {
  ComparedStep,
  ComparisonReport,
  FileState,
  NotCompared,
  OptimizerSide,
  RunDifferences,
  SettingDifference,
  Sides,
  TensorForm,
  ValueDifference,
} from '../../comparison/comparisonReport.js';
import type { ComponentId } from '../../tensors/component.js';
import { tensorParts, type TensorPart } from '../../tensors/component.js';
import { formatBytes, formatCount } from '../../text/units.js';
import type { PageTable } from '../table.js';

export const tensorStates = ['changed', 'renamed', 'removed', 'added'] as const;
export type TensorState = (typeof tensorStates)[number];

/** A tensor of the model that differs in more than its values. */
export interface ComparedTensor {
  /** As A stores it, or B where A has none. */
  name: string;
  state: TensorState;
  /** The name in B of one that was renamed; null of others. */
  nameInB: string | null;
  /** Null where the side has none, and of those that were renamed: they are equal. */
  a: TensorForm | null;
  b: TensorForm | null;
}

/** All that the report lists, and how many there are of each state. */
export function tensorRows({ tensors }: Pick<ComparisonReport, 'tensors'>): {
  rows: ComparedTensor[];
  counts: Record<TensorState, number>;
} {
  const { changed, renamed, removed, added, counts } = tensors;
  const rows: ComparedTensor[] = [
    ...changed.map(({ name, a, b }) => ({ name, state: 'changed' as const, nameInB: null, a, b })),
    ...renamed.map(({ from, to }) => ({ name: from, state: 'renamed' as const, nameInB: to, a: null, b: null })),
    ...removed.map(({ name, ...a }) => ({ name, state: 'removed' as const, nameInB: null, a, b: null })),
    ...added.map(({ name, ...b }) => ({ name, state: 'added' as const, nameInB: null, a: null, b })),
  ];
  return { rows, counts };
}

/** Tensors of both sides that hold the same weights, as `a.q, a.k and 2 more`. */
export interface FusedRow {
  a: string;
  b: string;
}

export function fusedRows({ tensors: { fused } }: Pick<ComparisonReport, 'tensors'>): FusedRow[] {
  return fused.map(({ a, b, counts }) => ({ a: namesWords(a, counts.a), b: namesWords(b, counts.b) }));
}

function namesWords(names: readonly string[], count: number): string {
  return [...names, ...(count > names.length ? [`${formatCount(count - names.length)} more`] : [])].join(', ');
}

/** What is first at a step of two runs: another size and by how much, which may be less than sizes show; other settings and which. Empty for most. */
export function stepWords(run: RunDifferences, { step, bytes }: Pick<ComparedStep, 'step' | 'bytes'>): string {
  const { firstOtherSize, firstOtherLearningRate, firstOtherSettings } = run;
  return [
    ...(step === firstOtherSize ? [`size: ${differenceWords({ a: bytes.a ?? 0, b: bytes.b ?? 0 }, formatBytes)}`] : []),
    ...(step === firstOtherLearningRate ? ['learning rate'] : []),
    ...(step === firstOtherSettings?.step ? [`settings: ${firstOtherSettings.labels.join(', ')}`] : []),
  ].join('; ');
}

export function shapeWords({ shape }: Pick<TensorForm, 'shape'>): string {
  return shape.length === 0 ? 'scalar' : `[${shape.join(', ')}]`;
}

/** A component that either side has. */
export interface ComparedComponent {
  id: ComponentId;
  label: string;
  bytes: Sides<number>;
  tensors: Sides<number>;
}

export function componentRows({ components }: Pick<ComparisonReport, 'components'>): ComparedComponent[] {
  return Object.entries(components).map(([id, { a, b }]) => ({
    id: id as ComponentId,
    label: labelOfComponent(id as ComponentId),
    bytes: { a: a.bytes, b: b.bytes },
    tensors: { a: a.tensors, b: b.tensors },
  }));
}

/** `+1.2 MB`, `−1.2 MB`; empty where both are equal. */
export function differenceWords({ a, b }: Sides<number>, words: (amount: number) => string): string {
  return a === b ? '' : `${b > a ? '+' : '−'}${words(Math.abs(b - a))}`;
}

/** Where a setting is stated; empty for sizes of the job, which no file states. */
export function settingPlace({ kind, files: { a, b } }: Pick<SettingDifference, 'kind' | 'files'>): string {
  if (kind === 'topology') return '';
  return a === b || b === null ? (a ?? '') : a === null ? b : `${a}, ${b}`;
}

/** A file that one side alone has, or that differs. */
export interface ComparedFile {
  path: string;
  state: Exclude<FileState, 'same'> | 'other size';
  bytes: Sides<number | null>;
}

/** Those of the tokenizer, whose bytes were compared, come first. */
export function fileRows({ files, tokenizer }: Pick<ComparisonReport, 'files' | 'tokenizer'>): {
  rows: ComparedFile[];
  total: number;
} {
  const ofTokenizer = tokenizer.flatMap(({ name, state, sizes }): ComparedFile[] =>
    state === 'same' ? [] : [{ path: name, state, bytes: sizes }],
  );
  const known = new Set(ofTokenizer.map(({ path }) => path));
  const others: ComparedFile[] = [
    ...files.resized.map(({ path, a, b }) => ({ path, state: 'other size' as const, bytes: { a, b } })),
    ...files.removed.map(({ path, bytes }) => ({ path, state: 'removed' as const, bytes: { a: bytes, b: null } })),
    ...files.added.map(({ path, bytes }) => ({ path, state: 'added' as const, bytes: { a: null, b: bytes } })),
  ].filter(({ path }) => !known.has(path));
  const rows = [...ofTokenizer, ...others];
  const { resized, removed, added } = files.counts;
  const listed = files.resized.length + files.removed.length + files.added.length;
  return { rows, total: rows.length + resized + removed + added - listed };
}

/** What is known of both optimizers, a row each; rows that are unknown on both sides are left out. */
export function optimizerTable({ optimizer: { a, b } }: Pick<ComparisonReport, 'optimizer'>): PageTable {
  const count = (value: number | null | undefined): string => (value == null ? '–' : formatCount(value));
  const row = (label: string, words: (side: OptimizerSide) => string): string[] => {
    const cells = [a, b].map((side) => (side === null ? '–' : words(side)));
    return [label, ...cells, cells[0] === cells[1] ? '' : 'differs'];
  };
  const rows = [
    row('kind', ({ kind }) => kind ?? '–'),
    row('bytes', ({ bytes }) => formatBytes(bytes)),
    row('tensors', ({ tensors }) => count(tensors)),
    ...tensorParts.map((part) => row(partLabels[part], ({ parts }) => count(parts[part]))),
    row('parameter groups', ({ groups }) => count(groups)),
    row('named parameters', ({ namedParameters }) => count(namedParameters)),
  ];
  return {
    id: 'optimizer',
    caption: 'Optimizer state',
    columns: ['', 'A', 'B', ''].map((label) => ({ label, isNumber: false })),
    rows: rows.filter(([, own, other]) => own !== '–' || other !== '–'),
    note: '',
  };
}

const partLabels: Readonly<Record<TensorPart, string>> = {
  whole: 'whole tensors',
  firstMoment: 'first moments',
  secondMoment: 'second moments',
  otherState: 'other state',
};

/** A parameter of which one side alone has moments. */
export interface OptimizerParameter {
  name: string;
  side: 'A' | 'B';
}

export function optimizerParameters({ optimizer: { onlyA, onlyB, counts } }: Pick<ComparisonReport, 'optimizer'>): {
  rows: OptimizerParameter[];
  total: number;
} {
  const rows = [...onlyA.map((name) => ({ name, side: 'A' as const })), ...onlyB.map((name) => ({ name, side: 'B' as const }))];
  return { rows, total: counts.onlyA + counts.onlyB };
}

/** `first 32,000 rows equal, 2 more in B`, for a tensor that was resized. */
export function rowWords({ rows, isEqual }: Pick<ValueDifference, 'rows' | 'isEqual'>): string[] {
  if (rows === undefined) return [];
  const { common, a, b } = rows;
  const first = common === 1 ? 'first row' : `first ${formatCount(common)} rows`;
  return [`${first} ${isEqual ? 'equal' : 'compared'}, ${formatCount(Math.abs(b - a))} more in ${b > a ? 'B' : 'A'}`];
}

/** `NaN or Inf: 3 in A, 0 in B`, for a tensor that has any. */
export function notFiniteWords({ notFiniteIn: { a, b } }: Pick<ValueDifference, 'notFiniteIn'>): string {
  return `NaN or Inf: ${formatCount(a)} in A, ${formatCount(b)} in B`;
}

/** A tensor whose values were compared, or were to be. */
export interface ComparedValues extends Pick<
  ValueDifference,
  'name' | 'maxAbs' | 'meanAbs' | 'cosine' | 'relativeL2' | 'notFinite'
> {
  result: 'different' | 'equal' | 'rounded' | 'not compared';
  /** What the numbers do not show: why it was not compared, that codes alone are, its name in B. */
  more: string;
}

/** Tensors of the model, those that were not compared last, then what differs or was not compared of the state of the optimizer. */
export function valueRows({
  values = [],
  valuesCompared,
  optimizer: { values: state },
}: Pick<ComparisonReport, 'values' | 'valuesCompared' | 'optimizer'>): { rows: ComparedValues[]; total: number } {
  return {
    rows: [
      ...rowsOf(values, valuesCompared?.notRead ?? [], []),
      ...rowsOf(state?.differences ?? [], state?.notRead ?? [], ['optimizer state']),
    ],
    total:
      (valuesCompared?.tensors ?? 0) + (valuesCompared?.notReadCount ?? 0) + (state?.different ?? 0) + (state?.notReadCount ?? 0),
  };
}

/** @param of what all of them are, in words */
function rowsOf(
  values: readonly ValueDifference[],
  notRead: readonly { name: string; reason: string }[],
  of: readonly string[],
): ComparedValues[] {
  const none = { maxAbs: null, meanAbs: null, cosine: null, relativeL2: null, notFinite: 0 };
  const compared = values.map((own): ComparedValues => ({
    ...own,
    result: own.isEqual ? 'equal' : own.isRounded === true ? 'rounded' : 'different',
    more: [
      ...of,
      ...rowWords(own),
      ...(own.roundedTo === undefined ? [] : [`rounded to ${own.roundedTo}`]),
      ...(own.areCodes === true ? ['codes without their scales'] : []),
      ...(own.notFiniteIn.a + own.notFiniteIn.b === 0 ? [] : [notFiniteWords(own)]),
      // It is long, and the name in A tells it mostly.
      ...(own.nameInB === undefined ? [] : [`in B: ${own.nameInB}`]),
    ].join('; '),
  }));
  const others = notRead.map(({ name, reason }): ComparedValues => ({
    name,
    ...none,
    result: 'not compared',
    more: [...of, reason].join('; '),
  }));
  return [...compared, ...others];
}

const notComparedLabels: Readonly<Record<NotCompared['what'], string>> = {
  tensors: 'Tensors',
  optimizer: 'Optimizer',
  config: 'Configs',
  tokenizer: 'Tokenizer',
  values: 'Values',
  steps: 'Steps',
};

/** `Optimizer of A: its parameters have no names`. */
export function notComparedWords({ what, side, reason }: NotCompared): string {
  return `${notComparedLabels[what]}${side === null ? '' : ` of ${side.toUpperCase()}`}: ${reason}`;
}
