/** How long work may go on without a pause; an event loop that stands longer is felt. */
const longestMs = 20;

/** A pause that lets messages through, at most once in 20 ms: each costs a turn of the event loop, and browsers make a turn 4 ms. */
export function createPause(now: () => number = () => performance.now()): () => Promise<void> {
  let lastMs = now();
  return async () => {
    if (now() - lastMs < longestMs) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    lastMs = now();
  };
}
