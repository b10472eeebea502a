import type { EstimateTableId } from '../../src/core/pages/estimate/estimateTables.js';
import { restoreOpened, type Opened } from '../shared/openedState.js';
import { restoreGridStates, type GridStates } from '../shared/gridState.js';

const tableIds: readonly EstimateTableId[] = ['terms', 'tensors', 'adapter', 'training', 'assumptions', 'unresolved'];

/** Where the reader stands in an estimate. Survives a reload of the page; holds nothing that was read from files. */
export interface EstimateViewState {
  /** Null until the reader has chosen one: the first. */
  tab: EstimateTableId | null;
  /** How the tables are set up, by their names. */
  tables: GridStates;
  /** What was opened or closed by hand. */
  opened: Opened;
}

/** Reads a state that an earlier version of the page may have written: whatever does not fit is left out. */
export function restoreEstimateViewState(saved: unknown): EstimateViewState {
  const from = typeof saved === 'object' && saved !== null ? (saved as Record<string, unknown>) : {};
  return {
    tab: tableIds.find((id) => id === from['tab']) ?? null,
    tables: restoreGridStates(from['tables']),
    opened: restoreOpened(from),
  };
}
