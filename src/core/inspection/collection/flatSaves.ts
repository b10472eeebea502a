/** Saves of several trainers whose files are in one directory, beside each other: each is a checkpoint of its own. */
import { findFileSets } from '../../checkpoints/fileSets/fileSets.js';
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { baseName } from '../../files/paths.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { fileRoles } from '../../frameworks/layouts.js';
import type { LayoutId } from '../../text/frameworkLabels.js';
import { findRun } from '../runs/run.js';
import { hasMembersHere } from './besideRun.js';

export interface FlatSaves {
  /** Files of Lightning, of which each is a checkpoint. */
  files: FileEntry[];
  /** What torch.distributed.checkpoint wrote, or Megatron with it. */
  distributed: FileEntry[];
  /** What is beside these, with all directories: the save of another trainer, or nothing of one. */
  rest: Listing;
}

const lightningFile = /\.ckpt$/;
const distributedFile = /\.distcp$|^\.metadata$/;
/** What Megatron writes beside the files of a distributed save. */
const besideDistributed: ReadonlySet<string> = new Set(['common.pt', 'metadata.json']);

/** Layouts of trainers that write neither `.ckpt` files nor distributed files directly into the directory of a checkpoint. */
const otherTrainers: ReadonlySet<LayoutId> = new Set<LayoutId>([
  'accelerate',
  'deepspeed',
  'huggingface-trainer',
  'megatron-legacy',
]);

/** Undefined where the files of the directory itself are of one trainer at most, by their names. */
export function flatSaves(listing: Listing): FlatSaves | undefined {
  if (listing.isSingleFile || !(listing.hasMatch(lightningFile) || listing.hasMatch(distributedFile))) return undefined;
  const own = listing.withoutSideFiles;
  const sets = findFileSets(own, fileRoles).filter(
    ({ set }) => set.root === '' && set.paths.some((path) => path.endsWith('.distcp')),
  );
  const inSets = new Set(sets.flatMap(({ set }) => set.paths));
  const isDistributed = ({ path }: FileEntry): boolean =>
    inSets.has(path) || (inSets.size > 0 && own.has('common.pt') && besideDistributed.has(path));
  const isFile = ({ path }: FileEntry): boolean => !path.includes('/') && lightningFile.test(path);
  const files = listing.entries.filter(isFile);
  const distributed = listing.entries.filter(isDistributed);
  const rest = new Listing(
    listing.rootName,
    listing.entries.filter((entry) => !isFile(entry) && !isDistributed(entry)),
  );
  // A run keeps what is beside its checkpoints: files of Lightning are told from it there.
  const isOther = isSave(rest) || (distributed.length > 0 && isRunOfDirectories(rest));
  const saves = [files.length > 0, distributed.length > 0, isOther].filter(Boolean).length;
  return saves < 2 ? undefined : { files, distributed, rest };
}

function isRunOfDirectories(rest: Listing): boolean {
  const run = findRun(rest);
  return run !== undefined && hasMembersHere(run);
}

/** Whether the files of the directory are a checkpoint of another trainer, with its state. */
function isSave(rest: Listing): boolean {
  const { id } = detectLayout(rest);
  if (id === 'huggingface-trainer') return rest.has('trainer_state.json') || rest.has('optimizer.pt');
  return otherTrainers.has(id) && rest.entries.some(({ path }) => fileRoles.of(baseName(path)).component === 'optimizer');
}
