/** Which stretches of the text are looked at: all of it where it is small, else windows at random places. */
import { createRandom } from './random.js';
import { USUAL_WINDOW_BYTES, type TextCorpus } from './textCorpus.js';

export interface Window {
  corpus: TextCorpus;
  from: number;
  length: number;
}

/** Every position once, in windows; in random order, so that those which a budget does not suffice for are any of them. */
export function allWindows(corpora: readonly TextCorpus[], seed: number): Window[] {
  const windows = corpora.flatMap((corpus) => {
    const count = Math.ceil(corpus.reachable / corpus.window);
    return Array.from({ length: count }, (_, index) => {
      const from = index * corpus.window;
      return { corpus, from, length: Math.min(corpus.window, corpus.reachable - from) };
    });
  });
  return shuffle(windows, createRandom(seed));
}

/**
 * `count` windows at random places, in random order: one in each of `count` equal stretches of all corpora, one behind the other by their
 * weights, so that files and places in them are both strata. The stretches make the estimate better; the interval is computed as if there were none, so it is not too small.
 */
export function randomWindows(
  corpora: readonly TextCorpus[],
  { windows: count, windowBytes, seed }: { windows: number; windowBytes: number; seed: number },
): Window[] {
  if (corpora.length === 0) return [];
  const random = createRandom(seed);
  const total = corpora.reduce((sum, { weightBytes }) => sum + weightBytes, 0);
  const windows: Window[] = [];
  let index = 0;
  let before = 0;
  for (let stretch = 0; stretch < count; stretch++) {
    const point = ((stretch + random()) / count) * total;
    while (index < corpora.length - 1 && point >= before + (corpora[index] as TextCorpus).weightBytes) {
      before += (corpora[index] as TextCorpus).weightBytes;
      index += 1;
    }
    const corpus = corpora[index] as TextCorpus;
    const share = Math.min(1 - Number.EPSILON, Math.max(0, (point - before) / corpus.weightBytes));
    windows.push(windowAt(corpus, share, windowBytes / USUAL_WINDOW_BYTES));
  }
  return shuffle(windows, random);
}

/** Windows begin anywhere, and those at the end are as long as the others: every position has nearly the same chance. */
function windowAt(corpus: TextCorpus, share: number, scale: number): Window {
  const length = Math.min(Math.max(1, Math.round(corpus.window * scale)), corpus.reachable);
  return { corpus, from: Math.floor(share * (corpus.reachable - length + 1)), length };
}

/** So that windows that are dropped when a budget is spent are any windows, not the last ones. */
function shuffle<T>(items: T[], random: () => number): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
  return items;
}
