/** What proves who asks, for some time. */
export interface Expiring<Value> {
  value: Value;
  /** Null where it does not end. */
  expiresMs: number | null;
}

/** So long before its end it is asked for anew: a request that is under way must not outlive it. */
const marginMs = 120_000;

/** Asks for something once, and again shortly before it ends. */
export function untilExpired<Value>(ask: () => Promise<Expiring<Value>>): () => Promise<Value> {
  let asked: Promise<Expiring<Value>> | undefined;
  return async () => {
    const known = asked === undefined ? undefined : await asked;
    if (known === undefined || (known.expiresMs !== null && known.expiresMs - marginMs < Date.now())) {
      asked = ask();
      asked.catch(() => (asked = undefined));
      return (await asked).value;
    }
    return known.value;
  };
}
