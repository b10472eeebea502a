/** Tables of an estimate as data: the panel draws all of them, Markdown those that are no lists there. Text from files is not escaped here. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import type { TokenCache } from '../../estimates/servingSize.js';
import { counted } from '../../text/quantities.js';
import { termInWords } from '../../estimates/estimateWords.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { termPerParameter, termSourceLines, trainingLines, trainingTitle } from './estimateLines.js';

export type EstimateTableId = 'terms' | 'serving' | 'tensors' | 'adapter' | 'training' | 'assumptions' | 'unresolved';

export interface EstimateColumn {
  id: string;
  /** Empty where the rows need none. */
  label: string;
  /** Names of the config, which are set as code; texts that may hold parts of it; our own words. */
  kind: 'number' | 'name' | 'text' | 'words';
}

export interface EstimateCell {
  /** Exact; null when absent. */
  value: string | number | null;
  /** What is shown of it. */
  text: string;
}

/** Every row has a cell for each column. */
export interface EstimateTable {
  id: EstimateTableId;
  label: string;
  /** What a row is. */
  noun: string;
  caption: string;
  columns: EstimateColumn[];
  rows: EstimateCell[][];
  /** Said below it, a line each. */
  notes?: string[];
}

/** Tables that have rows, the one that explains the bytes first. */
export function estimateTables(report: EstimateReport): EstimateTable[] {
  const tables = [
    termTable(report),
    ...(report.trainsNothing ? [servingTable(report)] : []),
    adapterTable(report),
    tensorTable(report),
    ...(report.trainsNothing ? [] : [servingTable(report)]),
    trainingTable(report),
    assumptionTable(report),
    unresolvedTable(report),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

/** Parts of a checkpoint, and where their bytes come from. */
export function termTable({ checkpoint }: EstimateReport): EstimateTable {
  return {
    id: 'terms',
    label: 'Checkpoint',
    noun: 'part',
    caption: 'Parts of a checkpoint',
    columns: [
      column('part', 'words'),
      column('dtype', 'text'),
      column('bytesPerParameter', 'number', 'bytes per parameter'),
      column('bytes', 'number'),
      column('size', 'number'),
    ],
    rows: checkpoint.terms.map(({ name, dtype, bytesPerParameter, bytes }) => [
      said(termInWords(name)),
      said(dtype),
      { value: bytesPerParameter, text: termPerParameter(bytesPerParameter) },
      amount(bytes, formatCount),
      amount(bytes, formatBytes),
    ]),
    notes: termSourceLines(checkpoint),
  };
}

/** What the model takes in memory while it serves. */
export function servingTable({ serving }: EstimateReport): EstimateTable {
  const { weights = null, cache = null } = serving ?? {};
  const row = (part: string, bytes: number | null, source: string): EstimateCell[][] =>
    bytes === null ? [] : [[said(part), amount(bytes, formatCount), amount(bytes, formatBytes), said(source)]];
  const tokens = formatCount(cache?.contextTokens ?? 0);
  return {
    id: 'serving',
    label: 'Serving',
    noun: 'part',
    caption: 'In memory while it serves',
    columns: [column('part', 'words'), column('bytes', 'number'), column('size', 'number'), column('source', 'text', 'from')],
    rows: [
      ...row('weights', weights?.bytes ?? null, weights === null ? '' : `${weights.as}: ${weightsSource[weights.basis]}`),
      ...row('cache of a token', cache?.bytesPerToken ?? null, cache === null ? '' : cacheSource(cache)),
      ...row(
        `cache of one sequence of ${tokens} tokens`,
        cache?.bytes ?? null,
        cache === null ? '' : contextSource[cache.contextBasis],
      ),
      ...row(
        `cache of ${formatCount(serving?.sequences ?? 0)} such sequences`,
        serving?.cacheBytes ?? null,
        'the sequences at once, at most, of this config',
      ),
    ],
    notes: ['Engines add activations, blocks of the cache that are not full, and buffers of their own.'],
  };
}

const weightsSource = {
  model: 'as the model’s own config sets it',
  given: 'as this config loads it',
  assumed: 'no config here sets it, so the usual one of its type is taken',
} as const;

const contextSource = {
  model: 'the longest sequence of the model’s own config',
  given: 'the longest sequence of this config',
} as const;

/** `bf16: keys and values of 32 layers` */
function cacheSource({ attention, dtype, fullLayers, windowLayers, windowTokens }: TokenCache): string {
  const what = attention === 'latent' ? 'latent attention' : 'keys and values';
  const layers = [
    ...(fullLayers === 0 ? [] : [`${counted(fullLayers, 'layer')}`]),
    ...(windowLayers === 0
      ? []
      : [`${counted(windowLayers, 'layer')} with a window of ${formatCount(windowTokens ?? 0)} tokens`]),
  ];
  return `${dtype}: ${what} of ${layers.join(' and ')}`;
}

/** Tensors of one name and shape, of the model that is trained or that an adapter is for. */
export function tensorTable({ model, checkpoint }: EstimateReport): EstimateTable {
  return {
    id: 'tensors',
    label: checkpoint.adapter === null ? 'Tensors' : 'Base model, not saved',
    noun: 'tensor',
    caption: checkpoint.adapter === null ? 'Tensors' : 'Tensors of the base model, which is not saved',
    columns: [column('tensor', 'name'), column('shape', 'text'), column('copies', 'number'), column('parameters', 'number')],
    rows: (model?.tensors ?? []).map(({ name, shape, copies, parameters, tied }) => [
      { value: name, text: tied ? `${name} (tied)` : name },
      said(shape.join(' × ')),
      amount(copies, formatCount),
      amount(parameters, formatCount),
    ]),
  };
}

/** What is saved where the base model is not. */
export function adapterTable({ checkpoint: { adapter } }: EstimateReport): EstimateTable {
  return {
    id: 'adapter',
    label: 'Adapter',
    noun: 'module',
    caption: 'Saved by the adapter',
    columns: [column('module', 'name'), column('saved', 'words', 'saved as'), column('parameters', 'number')],
    rows: (adapter ?? []).map(({ module, whole, parameters }) => [
      said(module),
      said(whole ? 'whole' : 'low-rank matrices'),
      amount(parameters, formatCount),
    ]),
  };
}

function trainingTable(report: EstimateReport): EstimateTable {
  return {
    id: 'training',
    label: trainingTitle(report),
    noun: 'setting',
    caption: trainingTitle(report),
    columns: [column('setting', 'words'), column('value', 'number')],
    rows: trainingLines(report).map(({ label, value }) => [said(label), said(value)]),
  };
}

function assumptionTable({ assumptions }: EstimateReport): EstimateTable {
  return {
    id: 'assumptions',
    label: 'Assumed',
    noun: 'assumption',
    caption: 'Assumed',
    columns: [column('text', 'text', 'assumed'), column('about', 'words')],
    rows: assumptions.map(({ about, text }) => [said(text), said(about)]),
  };
}

function unresolvedTable({ unresolved }: EstimateReport): EstimateTable {
  return {
    id: 'unresolved',
    label: 'Not resolved',
    noun: 'value',
    caption: 'Not resolved',
    columns: [column('key', 'name'), column('value', 'name'), column('why', 'words')],
    rows: unresolved.map(({ key, text, why }) => [said(key), said(text), said(why)]),
  };
}

function column(id: string, kind: EstimateColumn['kind'], label = id): EstimateColumn {
  return { id, label, kind };
}

function said(text: string): EstimateCell {
  return { value: text, text };
}

function amount(value: number | null, format: (value: number) => string): EstimateCell {
  return { value, text: value === null ? '' : format(value) };
}
