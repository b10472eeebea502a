/** Checkpoints of torch.distributed.checkpoint and of the trainers that save with it as it is, such as torchtitan. */
import { loadsAnywhere, loadsAsSaved } from '../../checkpoints/reshard.js';
import { entriesOf, member, numberOf } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { rankOfDataFile } from '../../checkpoints/fileSets/distributedFiles.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import { readFiles, type ReadResult } from '../../checkpoints/readFiles.js';
import type { Parts } from '../../checkpoints/parts.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { appendAll } from '../../bytes/appendAll.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { describeUnindexed } from '../../checkpoints/fileSets/unindexedFiles.js';

const ownFile = /^(\.metadata|__\d+\.metadata|.*\.distcp)$/s;

/** A directory that DCP wrote. */
export const distributedCheckpoint: Layout = {
  id: 'torch-distributed',
  match: (listing) => (listing.hasMatch(ownFile) ? 0.8 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    parts.framework = { name: isTitan(parts) ? 'torchtitan' : 'torch', version: null };
    parts.step = stepOf(parts, listing);
    if (isTitan(parts))
      appendAll(
        parts.findings,
        findOtherStep({ name: listing.rootName, path: '.metadata', step: parts.step }, /^step-(\d{1,15})$/),
      );
    parts.topology = { ...parts.topology, worldSize: worldSizeOf(parts) };
    noteReshard(result);
    noteStateOfRanks(result);
    if (parts.findings.some(({ code }) => code === 'save-unfinished')) await describeUnindexed(context, parts);
    return result;
  },
};

/** DCP keeps global shapes, so that another number of ranks can load what these saved. */
export function noteReshard({ parts }: ReadResult): void {
  parts.reshard = loadsAnywhere(
    'Any number of ranks and any sharding can load it: tensors are stored with their global shapes (torch.distributed.checkpoint).',
  );
}

/** Keys of an object for each rank, which a job with more of them does not find: `dataloader.dp_rank_3`, `rng_state.rank_1`. */
const keyOfRank = /(?:^|[._])(?:dp_rank_|rank_?)(\d{1,6})(?=$|\.)/;

/**
 * What a save has for each rank keeps a job of other sizes from loading it whole. torchtitan's data loader refuses another
 * data-parallel size itself (torchtitan/components/dataloader.py); each rank reads metadata of its own where there is no other.
 */
function noteStateOfRanks({ parts }: ReadResult): void {
  const ownMetadata = parts.files.filter(({ path }) => /(?:^|\/)__\d+\.metadata$/.test(path)).length;
  if (ownMetadata > 0) {
    parts.reshard = loadsAsSaved(
      'Each rank wrote metadata of its own and reads it back: a rank beyond those that saved has none (torch.distributed.checkpoint).',
    );
    return;
  }
  const keys = storedObjects(parts).flatMap((root) => entriesOf(root)?.keys ?? []);
  const ofRanks = keys.filter((key): key is string => typeof key === 'string' && keyOfRank.test(key));
  const [first] = ofRanks;
  if (first === undefined) return;
  const what = ofRanks.some((key) => /data_?loader/.test(key)) ? 'the data loader’s position' : 'state';
  parts.reshard = loadsAsSaved(
    `Tensors are stored with their global shapes, but ${what} is stored for each data-parallel rank (${first}): leave it out to load with another number of ranks.`,
    { tensorParallel: 'load', pipelineParallel: 'load' },
  );
}

/** One more than the highest rank that wrote a file of this save, missing ones included; ranks that had nothing to write have none. */
export function worldSizeOf({ files, findings }: Pick<Parts, 'files' | 'findings'>): number | null {
  const own = files.filter((file) => file.rank !== undefined && file.component !== 'unexplained');
  const highest = own.reduce((largest, file) => Math.max(largest, rankOfDataFile(file.path) ?? -1), -1);
  const named = findings.map((finding) => (finding.code === 'rank-file-missing' ? finding.facts.worldSize : 0));
  return highest === -1 ? null : named.reduce((largest, size) => Math.max(largest, size), highest + 1);
}

/** torchtitan counts its tokens under this name (torchtitan/train.py, TrainState). */
function isTitan({ objects }: Parts): boolean {
  return storedObjects({ objects }).some((root) => member(root, 'train_state.ntokens_seen') !== undefined);
}

/** The objects of each distributed save: dicts with the flattened names as keys. */
function storedObjects({ objects }: Pick<Parts, 'objects'>): PickleValue[] {
  return objects.flatMap(({ path, value }) => (value.kind === 'pickle' && path.endsWith('.metadata') ? [value.root] : []));
}

const stepKeys = ['train_state.step', 'train_state.global_step', 'trainer_state.global_step', 'global_step', 'step', 'iteration'];

/** The step as it was stored, else as the directory is called. */
function stepOf(parts: Parts, listing: Listing): number | null {
  for (const root of storedObjects(parts)) {
    for (const key of stepKeys) {
      const step = numberOf(member(root, key));
      if (step !== undefined && Number.isSafeInteger(step) && step >= 0) return step;
    }
  }
  return stepOfName(listing.rootName);
}
