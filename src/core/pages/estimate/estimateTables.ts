/** Tables of an estimate as data: the panel draws all of them, Markdown those that are no lists there. Text from files is not escaped here. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import type { ServingWeights } from '../../estimates/servingWeights.js';
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
  const { weights = null, cache = null, sequences = null, cacheBytes = null } = serving ?? {};
  const row = (part: string, dtype: string, bytes: number | null): EstimateCell[][] =>
    bytes === null ? [] : [[said(part), said(dtype), amount(bytes, formatCount), amount(bytes, formatBytes)]];
  const dtype = cache?.dtype ?? '';
  return {
    id: 'serving',
    label: 'Serving',
    noun: 'part',
    caption: 'In memory while it serves',
    columns: [column('part', 'words'), column('dtype', 'text'), column('bytes', 'number'), column('size', 'number')],
    rows: [
      ...row('weights', weights?.as ?? '', weights?.bytes ?? null),
      ...row('cache of a token', dtype, cache?.bytesPerToken ?? null),
      ...row(`cache of one sequence of ${formatCount(cache?.contextTokens ?? 0)} tokens`, dtype, cache?.bytes ?? null),
      ...row(`cache of ${formatCount(sequences ?? 0)} such sequences`, dtype, cacheBytes),
    ],
    notes: servingNotes(weights, cache),
  };
}

/** Where the bytes come from, a line each, and what is not among them. */
function servingNotes(weights: ServingWeights | null, cache: TokenCache | null): string[] {
  return [
    ...(weights === null ? [] : [`weights: ${weightsSource[weights.basis]}`]),
    ...(cache === null ? [] : [`cache: ${layersInWords(cache)}`]),
    ...(cache === null || cache.stateLayers === 0
      ? []
      : [`${counted(cache.stateLayers, 'layer')} keep a state of fixed size for each sequence, which is not counted`]),
    ...(cache?.bytes == null ? [] : [`longest sequence: ${contextSource[cache.contextBasis]}`]),
    'Engines add activations, blocks of the cache that are not full, and buffers of their own.',
  ];
}

const weightsSource = {
  model: 'as the model’s own config sets them',
  given: 'as this config loads them',
  assumed: 'no config here sets a dtype, so the usual one of the model’s type or name is taken',
} as const;

const contextSource = { model: 'as the model’s own config sets it', given: 'as this config sets it' } as const;

/** `keys and values of 10 layers, and of 52 that keep the last 1,024 tokens` */
function layersInWords({ attention, fullLayers, windowLayers, windowTokens }: TokenCache): string {
  const what = attention === 'latent' ? 'latent vectors' : 'keys and values';
  const last = `keep the last ${formatCount(windowTokens ?? 0)} tokens`;
  if (windowLayers === 0) return `${what} of ${counted(fullLayers, 'layer')}`;
  if (fullLayers === 0) return `${what} of ${counted(windowLayers, 'layer')} that ${last}`;
  return `${what} of ${counted(fullLayers, 'layer')}, and of ${formatCount(windowLayers)} that ${last}`;
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
