import type { CheckSettings } from '../../src/core/bandwidth/checkSettings.js';
import type { BandwidthExport } from '../../src/protocol/messages.js';
import { eventChannel } from '../shared/eventChannel.js';
import type { TypedKey } from './settingFields.js';

/** What the parts of the panel ask of the panel. */
export interface BandwidthEvents {
  'check-settings': Partial<CheckSettings>;
  /** An input holds a text that is no value, or no longer does. */
  'check-problem': { key: TypedKey; isWrong: boolean };
  'check-choose': 'target' | 'replayOf';
  'check-remove-left': string;
  'check-action': CheckAction;
  'check-save': BandwidthExport;
}

export type CheckAction = 'start' | 'cancel' | 'again' | 'streams' | 'sustained' | 'plan' | 'copy' | 'preview';

export const { emit: emitBandwidthEvent, on: onBandwidthEvent } = eventChannel<BandwidthEvents>();
