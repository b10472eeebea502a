/** What the Trainer of Hugging Face wrote of a run: the best checkpoint, and the metrics that it logged (transformers/trainer_callback.py: TrainerState). */
import { limits } from '../bytes/limits.js';
import { joinPath } from '../files/paths.js';
import type { RunMember } from '../inspection/runs/run.js';
import { isRecord, type SmallFiles } from './smallFile.js';

export interface TrainerHistory {
  /** As the states name them, each with the file that does. */
  best: { checkpoint: string; state: string }[];
  /** Values by step, of the metrics that were logged. */
  values: Map<number, ReadonlyMap<string, number>>;
  /** Checkpoints whose own state was read; the history is whole up to the last of their steps. */
  read: string[];
  /** States that are there and could not be read. */
  unread: string[];
  /** The one that the Trainer left when it was done was read. */
  isWhole: boolean;
}

const stateName = 'trainer_state.json';

/**
 * @param members in the order of their steps: the history of the newest covers the others, so that few are read
 * @param parent directory of the checkpoints, where the Trainer leaves its state when it is done
 */
export async function trainerHistory(
  members: readonly RunMember[],
  parent: string,
  hasOwn: boolean,
  files: SmallFiles,
): Promise<TrainerHistory> {
  const history: TrainerHistory = { best: [], values: new Map(), read: [], unread: [], isWhole: false };
  const having = members.filter(({ listing }) => listing.has(stateName));
  const chosen = having.slice(-limits.trainerStates);
  const states = chosen.map(({ root }) => ({ root, path: joinPath(root, stateName) }));
  if (hasOwn) states.push({ root: '', path: joinPath(parent, stateName) });
  for (const { root, path } of states.reverse()) {
    const state = await files.json(path, limits.trainerStateBytes);
    if (state === null) history.unread.push(path);
    else {
      if (root === '') history.isWhole = true;
      else history.read.push(root);
      addState(history, state, path);
    }
  }
  return history;
}

function addState(history: TrainerHistory, state: Record<string, unknown>, path: string): void {
  const { best_model_checkpoint: best, log_history: logged } = state;
  if (typeof best === 'string' && best !== '') history.best.push({ checkpoint: best, state: path });
  if (!Array.isArray(logged)) return;
  for (const entry of logged as unknown[]) {
    const step = isRecord(entry) ? entry['step'] : undefined;
    if (!isRecord(entry) || typeof step !== 'number') continue;
    const values = new Map(history.values.get(step));
    for (const [name, value] of Object.entries(entry))
      if (typeof value === 'number' && !values.has(name)) values.set(name, value);
    history.values.set(step, values);
  }
}
