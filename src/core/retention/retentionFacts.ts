/** What the files of a run say, before any rule is asked: its checkpoints, pointers, states, adapters, and what changed meanwhile. */
import { throwIfCancelled } from '../bytes/formatError.js';
import type { FileListing, FileTree } from '../files/fileTree.js';
import { joinPath } from '../files/paths.js';
import type { RunMember } from '../inspection/runs/run.js';
import { trainingRun, type TrainingRun } from '../runs/trainingRun.js';
import { adapterBases, type AdapterBases } from './adapterBases.js';
import type { CopyManifest } from './copyManifest.js';
import { changedPaths } from './caveats.js';
import type { Hold } from './holds.js';
import { linkedFromElsewhere, type LinkElsewhere } from './linksElsewhere.js';
import { pointersBeside, type Beside, type RunPlace } from './pointersBeside.js';
import { readPointerFiles, type PointerFile } from './pointers.js';
import type { RetentionPolicy } from './retentionPolicy.js';
import type { RotationRule } from './rotation/rotation.js';
import { trainerLimit } from './rotation/trainerLimit.js';
import { withoutOwnFolder, type RunMembers } from './runMembers.js';
import type { SmallFiles } from './smallFile.js';
import { trainerHistory, type TrainerHistory } from './trainerStates.js';

export interface RetentionInput {
  path: string;
  tree: FileTree;
  policy: RetentionPolicy;
  /** All of the file, those that have ended too. */
  holds: readonly Hold[];
  manifests: readonly CopyManifest[];
  /** The policy's table of its metric; null without one. */
  metrics: ReadonlyMap<number, number> | null;
  /** What adapters elsewhere in the workspace are trained on. */
  adapters: AdapterBases;
  /** Links elsewhere in the workspace. */
  links?: readonly LinkElsewhere[];
  /** Where the run is; without it nothing beside the run is looked at. */
  place?: RunPlace | undefined;
  /** The run again, once its small files are read: what differs was written meanwhile. */
  listAgain: () => Promise<FileListing>;
  nowMs: number;
  /** Who asks, as the listing names owners; null where that is not known. */
  user: string | null;
  signal?: AbortSignal | undefined;
}

export interface RetentionFacts {
  listing: FileListing;
  run: RunMembers;
  training: TrainingRun;
  /** In the run, and those beside it that lead into it. */
  pointers: PointerFile[];
  /** Names of what lies beside the run and has its name in it. */
  near: string[];
  /** Why pointers beside the run may not be known; null where they are. */
  unseenBeside: string | null;
  adapters: AdapterBases;
  /** Checkpoints that links elsewhere lead into, with one of them. */
  linkedFrom: ReadonlyMap<string, string>;
  history: TrainerHistory;
  changed: readonly string[];
  /** The framework's own; null where it is not known. */
  rotation: RotationRule | null;
}

const nothingBeside: Beside = { pointers: [], near: [], unseen: null };

/** @throws FormatError `cancelled` */
export async function retentionFacts(
  input: RetentionInput,
  listing: FileListing,
  run: RunMembers,
  files: SmallFiles,
): Promise<RetentionFacts> {
  const { tree, policy, signal } = input;
  const training = trainingRun(run.parent, run.members);
  const inOrder = inOrderOf(run, training);
  const beside = input.place === undefined ? nothingBeside : await pointersBeside(run, input.place, signal);
  const pointers = [...(await readPointerFiles(run, files)), ...beside.pointers];
  const own = await adapterBases(listing.entries, files);
  const adapters = { bases: [...own.bases, ...input.adapters.bases], unread: [...own.unread, ...input.adapters.unread] };
  const state = joinPath(run.parent, 'trainer_state.json');
  const hasState = run.rest.some(({ path }) => path === state);
  const history = await trainerHistory(inOrder, run.parent, hasState, files);
  const rotation =
    policy.rotation === null ? await trainerLimit(tree, inOrder, signal) : { ...policy.rotation, source: 'policy' };
  throwIfCancelled(signal);
  const changed = changedPaths(listing, withoutOwnFolder(await input.listAgain()));
  return {
    listing,
    run,
    training,
    pointers,
    near: beside.near,
    unseenBeside: beside.unseen,
    adapters,
    linkedFrom: linkedFromElsewhere(run, input.links ?? [], input.place),
    history,
    changed,
    rotation,
  };
}

/** Members in the order of their steps. */
function inOrderOf({ members }: RunMembers, { checkpoints }: TrainingRun): RunMember[] {
  const byRoot = new Map(members.map((member) => [member.root, member]));
  return checkpoints.flatMap(({ path }) => byRoot.get(path) ?? []);
}
