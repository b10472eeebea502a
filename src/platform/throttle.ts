/** Passes on the first call at once and then at most one in `intervalMs`; what comes in between is dropped. */
export function throttle<T>(send: (value: T) => void, intervalMs: number, now: () => number = Date.now): (value: T) => void {
  let lastMs = -Infinity;
  return (value) => {
    const time = now();
    if (time - lastMs < intervalMs) return;
    lastMs = time;
    send(value);
  };
}
