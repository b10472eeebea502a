/** `save_total_limit` as the Trainer wrote it: in the arguments that are beside each of its checkpoints. */
import { FormatError } from '../../bytes/formatError.js';
import type { FileTree } from '../../files/fileTree.js';
import { subTree } from '../../files/subTree.js';
import { inspect } from '../../inspection/inspect.js';
import type { RunMember } from '../../inspection/runs/run.js';
import { pathOfFile } from '../runMembers.js';
import type { RotationRule } from './rotation.js';

const argumentsName = 'training_args.bin';

/** Of the newest checkpoint that has its arguments; null where these set no limit, or cannot be read. */
export async function trainerLimit(
  tree: FileTree,
  members: readonly RunMember[],
  signal: AbortSignal | undefined,
): Promise<RotationRule | null> {
  const newest = members.findLast(({ listing }) => listing.has(argumentsName));
  const entry = newest?.listing.entry(argumentsName);
  if (newest === undefined || entry === undefined || entry.error !== undefined) return null;
  const path = pathOfFile(newest, entry);
  try {
    const { report } = await inspect(subTree(tree, newest.root, [entry]), { path, ...(signal && { signal }) });
    const fact = report.kind === 'checkpoint' ? report.facts.find(({ id }) => id === 'saveTotalLimit') : undefined;
    const limit = Number(fact?.value);
    return fact !== undefined && Number.isInteger(limit) ? { setting: 'save_total_limit', limit, source: path } : null;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return null;
  }
}
