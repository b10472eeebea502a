/**
 * DeepSpeed: a directory ("tag") a save with the states of each rank, and beside it `latest`, which names the tag, and a script that
 * puts the weights together.
 */
import { baseName, parentPath } from '../files/paths.js';
import { findTags, findUniversalTags } from './deepspeedFiles.js';
import { describeDeepSpeed } from './deepspeedSave.js';
import type { Layout, Listing } from './layout.js';
import type { Parts } from './parts.js';
import { readFiles } from './readFiles.js';

export const deepspeed: Layout = {
  id: 'deepspeed',
  match(listing) {
    const tags = findTags(pathsOf(listing));
    if (tags.some((tag) => tag.directory === '')) return 0.92;
    const below = tags.filter((tag) => !tag.directory.includes('/')).length;
    // Several saves are a run.
    return below === 0 ? 0 : below === 1 ? 0.9 : 0.6;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    const facts = describeDeepSpeed(result);
    parts.framework = { name: 'deepspeed', version: facts?.version ?? null };
    parts.step = facts?.step ?? null;
    parts.expected = [
      facts?.topology.zeroStage === 3 ? 'masterWeights' : 'weights',
      'optimizer',
      'scheduler',
      'rng',
      'dataLoader',
    ];
    return result;
  },
};

/** Universal checkpoints: `ds_to_universal.py` writes each parameter's state into a directory of its own. */
export const deepspeedUniversal: Layout = {
  id: 'deepspeed-universal',
  match(listing) {
    const directories = findUniversalTags(pathsOf(listing));
    if (directories.has('')) return 0.95;
    return [...directories].some((directory) => !directory.includes('/')) && !hasSave(listing, directories) ? 0.91 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    const facts = describeDeepSpeed(result);
    parts.framework = { name: 'deepspeed', version: facts?.version ?? null };
    parts.step = facts?.step ?? null;
    parts.expected = ['masterWeights', 'optimizer', 'scheduler', 'rng', 'dataLoader'];
    parts.reshard = {
      can: 'any',
      detail: 'A universal checkpoint loads with any data-, tensor- and pipeline-parallel size (load_universal).',
    };
    nameParameters(parts);
    return result;
  },
};

/** A save that is not the copy of the model states in a universal checkpoint. */
function hasSave(listing: Listing, universal: ReadonlySet<string>): boolean {
  return findTags(pathsOf(listing)).some((tag) => !universal.has(tag.directory));
}

function pathsOf(listing: Listing): string[] {
  return listing.entries.map((entry) => entry.path);
}

/**
 * Every file of a universal checkpoint calls its tensor `param`: the directory's name is the parameter's. What has no moments is a
 * buffer, which is converted as well.
 */
function nameParameters({ tensors, files }: Parts): void {
  const trained = new Set(files.filter((file) => baseName(file.path) === 'exp_avg.pt').map((file) => parentPath(file.path)));
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
