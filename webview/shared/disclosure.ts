import { eventChannel } from './eventChannel.js';

/** Sent to the panel, which keeps what its reader has opened. */
export interface DisclosureEvents {
  'panel-disclose': Disclosed;
}

export interface Disclosed {
  id: string;
  isOpen: boolean;
}

const channel = eventChannel<DisclosureEvents>();

export function emitDisclosure(from: EventTarget, disclosed: Disclosed): void {
  channel.emit(from, 'panel-disclose', disclosed);
}

/** Listens at an element that contains what is opened and closed. */
export function onDisclosure(at: EventTarget, listener: (disclosed: Disclosed) => void): void {
  channel.on(at, 'panel-disclose', listener);
}
