import type { SideName } from '../../src/core/comparison/comparedCheckpoint.js';
import { eventChannel } from '../shared/eventChannel.js';
import type { CompareViewState } from './compareViewState.js';

/** What the parts of the panel ask of the panel, besides what all panels have. */
export interface CompareEvents {
  'compare-swap': null;
  /** Opens the report of a side. */
  'compare-inspect': SideName;
  /** Reads the values of all tensors that both have: this share of each. */
  'compare-values': number;
  'compare-values-cancel': null;
  'compare-state': Partial<Pick<CompareViewState, 'tab' | 'tensorState'>>;
}

export const { emit: emitCompareEvent, on: onCompareEvent } = eventChannel<CompareEvents>();
