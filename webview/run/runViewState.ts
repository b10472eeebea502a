import { restoreGridStates, type GridStates } from '../shared/gridState.js';
import { restoreOpened, type Opened } from '../shared/openedState.js';

/** Where the reader stands in a run. Survives a reload of the page; holds nothing that was read from files. */
export interface RunViewState {
  /** How the tables are set up, by their names. */
  tables: GridStates;
  /** What was opened or closed by hand. */
  opened: Opened;
}

/** Reads a state that an earlier version of the page may have written: whatever does not fit is left out. */
export function restoreRunViewState(saved: unknown): RunViewState {
  const from = typeof saved === 'object' && saved !== null ? (saved as Record<string, unknown>) : {};
  return { tables: restoreGridStates(from['tables']), opened: restoreOpened(from) };
}
