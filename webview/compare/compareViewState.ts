import { tensorStates, type TensorState } from '../../src/core/pages/comparison/comparedRows.js';
import { restoreGridStates, type GridStates } from '../shared/gridState.js';

const compareTabIds = ['tensors', 'values', 'components', 'settings', 'files', 'optimizer', 'steps', 'findings'] as const;
export type CompareTabId = (typeof compareTabIds)[number];

/** Where the reader stands in a comparison. Survives a reload of the page; holds nothing that was read from files. */
export interface CompareViewState {
  /** Null until the reader has chosen one: the first that has anything. */
  tab: CompareTabId | null;
  /** Only tensors of this state are shown; null for all. */
  tensorState: TensorState | null;
  /** How the tables are set up, by their names. */
  tables: GridStates;
}

/** Reads a state that an earlier version of the page may have written: whatever does not fit is left out. */
export function restoreCompareViewState(saved: unknown): CompareViewState {
  const from = typeof saved === 'object' && saved !== null ? (saved as Record<string, unknown>) : {};
  return {
    tab: compareTabIds.find((id) => id === from['tab']) ?? null,
    tensorState: tensorStates.find((state) => state === from['tensorState']) ?? null,
    tables: restoreGridStates(from['tables']),
  };
}
