/** Tables of an estimate as data: the panel draws all of them, Markdown those that are no lists there. Text from files is not escaped here. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { termInWords } from '../../estimates/estimateWords.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { termPerParameter, termSourceLines, trainingLines } from './estimateLines.js';

export type EstimateTableId = 'terms' | 'tensors' | 'adapter' | 'training' | 'assumptions' | 'unresolved';

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
    adapterTable(report),
    tensorTable(report),
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
    label: 'Training',
    noun: 'setting',
    caption: 'Training',
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
