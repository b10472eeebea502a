import { componentIds, tensorParts } from '../../src/core/tensors/component.js';
import { restoreGridStates, restoreSort, type GridStates } from '../shared/gridState.js';
import type { ComponentChoice, TensorColumn, TensorQuery } from '../../src/core/tensors/tensorQuery.js';

const checkpointTabIds = [
  'checkpoints',
  'components',
  'files',
  'tensors',
  'loading',
  'objects',
  'ranks',
  'findings',
  'imports',
  'integrity',
] as const;
const datasetTabIds = [
  'columns',
  'shards',
  'splits',
  'lengths',
  'plan',
  'files',
  'findings',
  'imports',
  'facts',
  'integrity',
] as const;
const tabIds: readonly TabId[] = [...checkpointTabIds, ...datasetTabIds];

/** Tabs that a checkpoint's report may have. */
export type CheckpointTabId = (typeof checkpointTabIds)[number];
/** Tabs that a dataset's report may have. */
export type DatasetTabId = (typeof datasetTabIds)[number];
export type TabId = CheckpointTabId | DatasetTabId;

/** Where the reader stands in a report. Survives a reload of the page; holds nothing that was read from files. */
export interface ReportViewState {
  /** What the state belongs to; the host can reopen the panel with it. */
  path: string;
  /** Null until the reader has chosen one: the report's first. */
  tab: TabId | null;
  query: TensorQuery;
  /** Whether tensors are a list, or a tree of their modules. */
  tensorsAs: 'list' | 'modules';
  /** Modules that the reader has expanded or collapsed: those that are otherwise than at first. */
  toggledModules: string[];
  /** Row of the tensor whose details are open. */
  openTensor: number | null;
  /** How the tables are set up, by their names. */
  tables: GridStates;
  /** Shows the files of one rank only. */
  fileRank: string | null;
  /** Shows odd shards only. */
  oddShards: boolean;
  /** What the reader typed into the training plan. */
  plan: PlanTexts;
  /** Positions of expanded nodes, e.g. `0/3/1`: the first object's fourth child's second child. */
  expanded: string[];
}

/** Inputs of the training plan as they were typed; absent ones have their default. */
export type PlanTexts = Partial<Record<(typeof planKeys)[number], string>>;

const planKeys = ['tokensPerSecond', 'sequenceLength', 'trainingTokens'] as const;

export function initialViewState(path: string): ReportViewState {
  return {
    path,
    tab: null,
    query: {},
    tensorsAs: 'list',
    toggledModules: [],
    openTensor: null,
    tables: {},
    fileRank: null,
    oddShards: false,
    plan: {},
    expanded: [],
  };
}

/** Reads a state that an earlier version of the page may have written: whatever does not fit is left out. */
export function restoreViewState(saved: unknown): ReportViewState {
  const from = recordOf(saved);
  const state = initialViewState(typeof from['path'] === 'string' ? from['path'] : '');
  const tab = tabIds.find((id) => id === from['tab']);
  if (tab !== undefined) state.tab = tab;
  state.query = restoreQuery(recordOf(from['query']));
  if (from['tensorsAs'] === 'modules') state.tensorsAs = 'modules';
  state.toggledModules = textsOf(from['toggledModules']) ?? [];
  if (isRow(from['openTensor'])) state.openTensor = from['openTensor'];
  state.tables = restoreGridStates(from['tables']);
  state.oddShards = from['oddShards'] === true;
  const plan = recordOf(from['plan']);
  for (const key of planKeys) {
    const text = plan[key];
    if (typeof text === 'string') state.plan[key] = text;
  }
  if (typeof from['fileRank'] === 'string') state.fileRank = from['fileRank'];
  state.expanded = textsOf(from['expanded']) ?? [];
  return state;
}

const columns: readonly TensorColumn[] = ['name', 'dtype', 'shape', 'elements', 'bytes', 'component', 'file', 'layer'];

function restoreQuery(from: Record<string, unknown>): TensorQuery {
  const query: TensorQuery = {};
  if (typeof from['search'] === 'string') query.search = from['search'];
  const components = textsOf(from['components'])?.filter(isComponentChoice);
  if (components !== undefined && components.length > 0) query.components = components;
  for (const key of ['dtypes', 'files', 'layers'] as const) {
    const values = textsOf(from[key]);
    if (values !== undefined && values.length > 0) query[key] = values;
  }
  const sort = restoreSort(from['sort']);
  const column = columns.find((id) => id === sort?.column);
  if (sort !== null && column !== undefined) query.sort = { column, descending: sort.descending };
  return query;
}

function isComponentChoice(text: string): text is ComponentChoice {
  const [component, part, ...more] = text.split(':');
  const has = (known: readonly string[], id: string | undefined): boolean => id !== undefined && known.includes(id);
  return has(componentIds, component) && (part === undefined || has(tensorParts, part)) && more.length === 0;
}

function isRow(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}
