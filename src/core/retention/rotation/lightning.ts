/** `save_top_k` and `save_last` of Lightning's ModelCheckpoint (lightning/pytorch/callbacks/model_checkpoint.py; version 2.6). */

export interface ModelCheckpointSetting {
  /** -1 keeps all, 0 saves none. */
  saveTopK: number;
  mode: 'min' | 'max';
  /** False without `monitor`: then the newest is kept, or all. */
  isMonitored: boolean;
}

export interface Scored {
  name: string;
  /** NaN where the metric was none. */
  score: number;
}

/** What a save does to the best ones. */
export interface TopK {
  /** In the order in which they were saved. */
  kept: Scored[];
  removed: string | null;
}

/** The best ones after one more evaluation. Of equal scores the one that was saved first counts as the worst, and goes first. */
export function afterSave(kept: readonly Scored[], saved: Scored, { saveTopK, mode, isMonitored }: ModelCheckpointSetting): TopK {
  if (saveTopK === 0) return { kept: [...kept], removed: null };
  if (!isMonitored) return afterUnmonitored(kept, saved, saveTopK);
  const isFull = saveTopK !== -1 && kept.length >= saveTopK;
  const worst = isFull ? worstOf(kept, mode) : null;
  if (worst !== null && !isBetter(saved.score, worst.score, mode)) return { kept: [...kept], removed: null };
  // A score that is no number counts as the worst there can be.
  const score = Number.isNaN(saved.score) ? (mode === 'min' ? Infinity : -Infinity) : saved.score;
  return { kept: [...kept.filter((one) => one !== worst), { ...saved, score }], removed: worst?.name ?? null };
}

function afterUnmonitored(kept: readonly Scored[], saved: Scored, saveTopK: number): TopK {
  const last = kept.at(-1);
  if (saveTopK !== 1 || last === undefined) return { kept: [...kept, saved], removed: null };
  return { kept: [...kept.slice(0, -1), saved], removed: last.name };
}

/** The one that a better one takes the place of; null of none. */
export function worstOf(kept: readonly Scored[], mode: 'min' | 'max'): Scored | null {
  return kept.reduce<Scored | null>(
    (worst, one) => (worst === null || isBetter(worst.score, one.score, mode) ? one : worst),
    null,
  );
}

function isBetter(score: number, than: number, mode: 'min' | 'max'): boolean {
  return mode === 'min' ? score < than : score > than;
}
