/**
 * DeepSpeed: a directory ("tag") a save with the states of each rank, and beside it `latest`, which names the tag, and a script that
 * puts the weights together.
 */
import { appendAll } from '../../bytes/appendAll.js';
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { baseName, parentPath } from '../../files/paths.js';
import { findUniversalTags, tagDirectories } from './deepspeedFiles.js';
import { describeDeepSpeed } from './deepspeedSave.js';
import { findMissingPointers, tagPointerFinding } from './tagPointers.js';
import { trainedDirectories } from './universalParameters.js';
import { confidenceOfSaves, directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import type { Listing } from '../../files/listing.js';
import type { Parts } from '../../checkpoints/parts.js';
import type { ReadResult } from '../../checkpoints/readFiles.js';

export const deepspeed = directoryLayout(
  'deepspeed',
  (listing) => confidenceOfSaves(tagDirectories(listing)),
  (result, { rootName }) => {
    const isStage3 = describeSave(result, rootName) === 3;
    result.parts.expected = [isStage3 ? 'masterWeights' : 'weights', 'optimizer', 'scheduler', 'rng', 'dataLoader'];
  },
);

/** Universal checkpoints: `ds_to_universal.py` writes each parameter's state into a directory of its own. */
export const deepspeedUniversal = directoryLayout(
  'deepspeed-universal',
  (listing) => {
    const directories = findUniversalTags(listing.entries.map(({ path }) => path));
    return hasSave(listing, directories) ? 0 : confidenceOfSaves(directories);
  },
  (result, { rootName }) => {
    describeSave(result, rootName);
    const { parts } = result;
    parts.expected = ['masterWeights', 'optimizer', 'scheduler', 'rng', 'dataLoader'];
    parts.reshard = loadsAnywhere(
      'A universal checkpoint loads with any data-, tensor- and pipeline-parallel size (load_universal).',
    );
    nameParameters(parts);
  },
);

/** Fills in what DeepSpeed's files say; answers the ZeRO stage. */
function describeSave(result: ReadResult, rootName: string): number | null {
  const facts = describeDeepSpeed(result, rootName);
  const pointers = findMissingPointers(result.parts.files.map(({ path }) => path));
  appendAll(result.parts.findings, pointers.map(tagPointerFinding));
  result.parts.framework = { name: 'deepspeed', version: facts?.version ?? null };
  result.parts.step = facts?.step ?? null;
  return facts?.topology.zeroStage ?? null;
}

/** A save that is not the copy of the model states in a universal checkpoint. */
function hasSave(listing: Listing, universal: ReadonlySet<string>): boolean {
  return [...tagDirectories(listing)].some((directory) => !universal.has(directory));
}

/**
 * Every file of a universal checkpoint calls its tensor `param`: the directory's name is the parameter's. What has no optimizer
 * state is a buffer, which is converted as well.
 */
function nameParameters({ tensors, files }: Parts): void {
  const trained = trainedDirectories(files);
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    const file = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)] : undefined;
    const directory = file === undefined ? '' : parentPath(file.path);
    if (file === undefined || baseName(parentPath(directory)) !== 'zero') continue;
    tensors.setExtra(row, { parameter: baseName(directory) });
    if (trained.has(directory)) continue;
    tensors.setComponent(row, 'weights');
    file.component = 'weights';
  }
}
