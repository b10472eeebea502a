/** `save_total_limit` of Hugging Face's Trainer (transformers/trainer_utils.py: sort_checkpoints, rotate_checkpoints; version 5.24). */
import type { Saved } from './rotation.js';

const prefix = 'checkpoint-';
/** Times that differ by less are taken for none: some file systems make them up. */
const leastSpreadMs = 1000;

/**
 * What goes once a save is done, the oldest first: by the times of the directories where these differ, else by steps. The newest and the best stay.
 * @param saved directories, the new one too
 * @param best name of the best checkpoint; null without one
 */
export function removedByTrainer(saved: readonly Saved[], limit: number | null, best: string | null): string[] {
  if (limit === null || limit <= 0) return [];
  const inOrder = inOrderOfTrainer(saved.filter(({ name }) => name.startsWith(prefix)));
  const kept = new Set([inOrder.at(-1), ...(best === null ? [] : [best])]);
  const mostRemoved = inOrder.length - Math.max(limit, kept.size);
  return inOrder.filter((name) => !kept.has(name)).slice(0, Math.max(0, mostRemoved));
}

function inOrderOfTrainer(saved: readonly Saved[]): string[] {
  const times = saved.map(({ modifiedMs }) => modifiedMs ?? 0);
  const spreadMs =
    times.reduce((most, time) => Math.max(most, time), -Infinity) -
    times.reduce((least, time) => Math.min(least, time), Infinity);
  const isTimed = saved.every(({ modifiedMs }) => modifiedMs !== null) && (saved.length < 2 || spreadMs >= leastSpreadMs);
  const ordered = isTimed
    ? saved.map(({ name, modifiedMs }) => ({ name, key: modifiedMs ?? 0 }))
    : saved.flatMap(({ name }) => {
        const step = [...name.matchAll(/checkpoint-(\d+)/g)].at(-1)?.[1];
        return step === undefined ? [] : [{ name, key: Number(step) }];
      });
  return ordered.sort((a, b) => a.key - b.key || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}
