import { eventChannel } from '../shared/eventChannel.js';
import type { WhatIfChanges } from '../../src/core/pages/estimate/whatIf.js';
import type { EstimateTableId } from '../../src/core/pages/estimate/estimateTables.js';

/** What the parts of the panel ask of the panel, besides what all panels have. */
export interface EstimateEvents {
  'estimate-tab': EstimateTableId;
  /** Shows the config, at an offset of its text where one is given. */
  'estimate-open': number | null;
  /** Asks for the estimate with other values; null for those of the config. */
  'estimate-what-if': WhatIfChanges | null;
}

export const { emit: emitEstimateEvent, on: onEstimateEvent } = eventChannel<EstimateEvents>();
