/** Whether what lies in directories with steps for names is what training saved: data, results and models of their own are kept so, too. */
import { baseName } from '../files/paths.js';
import type { RunMember } from '../inspection/runs/run.js';
import type { SavedCheckpoint } from '../runs/savedCheckpoint.js';
import { stateOfTraining } from '../runs/stateOfTraining.js';
import type { TrainingRun } from '../runs/trainingRun.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { PointerFile } from './pointers.js';
import { reason, type CaveatCode, type Reason } from './reason.js';
import type { RunMembers } from './runMembers.js';

/** Layouts of models and arrays that no trainer needs to have written. */
const plainLayouts: ReadonlySet<LayoutId> = new Set<LayoutId>(['torch-file', 'safetensors-file', 'huggingface-model', 'numpy']);

/** None where there is state of training, or a pointer names one: of such runs names and contents are what they seem, but for years. */
export function caveatsOfContents(
  { members }: RunMembers,
  { checkpoints, framework }: TrainingRun,
  pointers: readonly PointerFile[],
): Reason<CaveatCode>[] {
  const isPointedAt = pointers.some(({ names }) => names.length > 0);
  if (!isPointedAt && members.every(isCalledByYear)) return [reason('years-alone')];
  if (hasState(checkpoints) || isPointedAt || !plainLayouts.has(framework)) return [];
  return [
    ...(members.every(isCalledByNumber) ? [reason('numbers-alone' as const)] : []),
    ...(members.some(hasModel) ? [] : [reason('no-model' as const)]),
  ];
}

function hasState(checkpoints: readonly SavedCheckpoint[]): boolean {
  return checkpoints.some(({ components }) => stateOfTraining.some((id) => (components[id] ?? 0) > 0));
}

/** Seeds, folds, users and shards are directories with numbers for names, too. */
function isCalledByNumber({ root }: RunMember): boolean {
  return root === '' || /^\d+$/.test(baseName(root));
}

/** Models of years are trained with state as well, and each is one of its own. */
function isCalledByYear({ root }: RunMember): boolean {
  return /^(?:19|20)\d\d$/.test(baseName(root));
}

/** Words in the names of files that hold models. */
const modelName = /model|weight|ckpt|checkpoint|consolidated|state|adapter|param/i;

function hasModel({ root, listing }: RunMember): boolean {
  return listing.entries.some(({ path }) => modelName.test(baseName(listing.isSingleFile ? root : path)));
}
