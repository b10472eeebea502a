import { eventChannel } from './eventChannel.js';
import type { GridState } from './gridState.js';

/** What tables tell their panel. They bubble through shadow roots. */
export interface GridEvents {
  /** How a table is set up now; the panel keeps it. */
  'grid-state': { table: string; state: GridState };
  /** Text for the clipboard and what it is, for the announcement. */
  'grid-copy': { text: string; what: string };
  /** A sentence for the panel's live region. */
  'grid-say': string;
}

export const { emit: emitGridEvent, on: onGridEvent } = eventChannel<GridEvents>();
