import { eventChannel } from '../shared/eventChannel.js';

/** What the parts of the panel ask of the panel, besides what all panels have. */
export interface RunEvents {
  /** Opens the panel of one run of several, by its path. */
  'run-open': string;
  'run-follow': boolean;
}

export const { emit: emitRunEvent, on: onRunEvent } = eventChannel<RunEvents>();
