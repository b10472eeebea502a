/** Events that the parts of a panel send up to the panel, with their details typed. */
export interface EventChannel<Events> {
  /** Sends an event from an element; it bubbles through shadow roots. */
  emit<K extends keyof Events & string>(from: EventTarget, name: K, detail: Events[K]): void;
  /** Listens at an element that contains the senders. */
  on<K extends keyof Events & string>(at: EventTarget, name: K, listener: (detail: Events[K]) => void): void;
}

export function eventChannel<Events>(): EventChannel<Events> {
  return {
    emit: (from, name, detail) => void from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true })),
    on: (at, name, listener) =>
      at.addEventListener(name, (event) => listener((event as CustomEvent<Events[typeof name]>).detail)),
  };
}
