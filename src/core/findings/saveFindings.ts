/** Findings of saves: what is unfinished, left over, or of another step. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount, formatDifferentBytes } from '../text/units.js';

/** Said of DeepSpeed's pointer, whoever needs it. */
function lostTagPointer(file: string, tag: string): string {
  return `${file} is missing, which names ${tag} as the latest tag.`;
}

/** What a pointer to the latest checkpoint names. */
interface PointerFacts {
  target: string;
  /** Set where the framework does not go by it. */
  isIgnored?: boolean;
}

const pointerIgnored = 'This framework takes the checkpoint with the highest step and ignores it. Programs that go by it fail.';

export const saveFindings = {
  'rank-file-missing': defineFinding({
    severity: 'error',
    example: { files: 2, ranks: 2, worldSize: 8, first: 'rng_state_3.pth, rng_state_5.pth' },
    words: ({ ranks, worldSize, first }) => ({
      message: `Files of ${formatCount(ranks)} of ${counted(worldSize, 'rank')} missing: ${first}.`,
      effect: 'State that only these ranks stored is lost.',
      advice: 'Check the local disks of the other nodes, if each node saves to its own.',
    }),
  }),
  'pipeline-layers-missing': defineFinding({
    severity: 'error',
    example: { files: 1, held: 17_328, trained: 21_808, first: 'global_step3/layer_01-model_states.pt' },
    words: ({ files, held, trained, first }) => ({
      message: `${files === 0 ? 'Pipeline layers' : counted(files, 'file') + ' of pipeline layers'} missing${first === '' ? '' : `: ${first}`}. The layer files have ${formatCount(held)} of ${formatCount(trained)} trained parameters.`,
      effect: 'The weights of these layers are missing: DeepSpeed fails to load the pipeline.',
      advice: 'Copy the missing files layer_<n>-model_states.pt from the source, or use another checkpoint.',
    }),
  }),
  'rank-step-differs': defineFinding({
    severity: 'error',
    example: { step: 500, usual: 1_000 },
    words: ({ step, usual }) => ({
      message: `This rank file is from step ${formatCount(step)}, the others are from step ${formatCount(usual)}.`,
      effect: 'The ranks would resume from different states.',
      advice: 'Use a checkpoint whose ranks agree: the file is left over, or the save was interrupted.',
    }),
  }),
  'rank-count-differs': defineFinding({
    severity: 'error',
    example: { ranks: 4, usual: 2 },
    words: ({ ranks, usual }) => ({
      message: `This rank file is from a job of ${counted(ranks, 'data-parallel rank')}, the others are from one of ${formatCount(usual)}.`,
      effect: 'Its share of the state does not fit those of the other ranks: loading fails, or state is lost.',
      advice: 'Use a checkpoint whose ranks agree: the file is left over from another job, or was copied from one.',
    }),
  }),
  'master-weights-differ': defineFinding({
    severity: 'error',
    example: { held: 12_480, trained: 21_808 },
    words: ({ held, trained }) => ({
      message: `The shards have master weights of ${counted(held, 'element')}, the shapes of the trained parameters need ${formatCount(trained)}.`,
      effect: 'Shards and model states are of different models or jobs: loading fails, or restores wrong state.',
      advice: 'Use a checkpoint whose files are all from one save, or copy the shards from the source again.',
    }),
  }),
  'universal-shape-differs': defineFinding({
    severity: 'error',
    example: { shape: '1024 × 4096', expected: '4096 × 4096', of: 'fp32.pt' },
    words: ({ shape, expected, of }) => ({
      message: `The tensor has the shape ${shape}, ${of} has ${expected} for this parameter.`,
      effect: 'The file is of another parameter: loading fails, or restores wrong state.',
      advice: 'Convert the checkpoint again with ds_to_universal.py, or copy the file from the source.',
    }),
  }),
  'rank-file-older': defineFinding({
    severity: 'warning',
    example: { ranks: '3, 5', count: 2, hours: 6 },
    words: ({ ranks, count, hours }) => ({
      message: `${counted(count, 'rank')} wrote up to ${counted(hours, 'hour')} before the others: ${ranks}.`,
      effect: 'Their files may be from an earlier save.',
      advice: 'Compare the steps of the files. Times also differ if files were copied one by one.',
    }),
  }),
  'rank-file-small': defineFinding({
    severity: 'warning',
    example: { bytes: 1_000_000_000, usualBytes: 4_000_000_000 },
    words: ({ bytes, usualBytes }) => {
      const [found, usual] = formatDifferentBytes(bytes, usualBytes);
      return {
        message: `This rank file has ${found}, the largest of the other ranks ${usual}.`,
        effect: 'Ranks store equal shares: part of this one may be missing.',
        advice: 'Compare with another checkpoint of the run, and check the rank’s node for a full disk.',
      };
    },
  }),
  'pointer-target-unfinished': defineFinding<PointerFacts>({
    severity: 'warning',
    example: { target: 'global_step1000' },
    words: ({ target, isIgnored }) => ({
      message: `This file names ${target} as the latest checkpoint, but its save was interrupted.`,
      effect: isIgnored === true ? pointerIgnored : 'Loading the latest checkpoint fails or returns incomplete state.',
      advice: 'Set it to the previous checkpoint.',
    }),
  }),
  'pointer-target-missing': defineFinding<PointerFacts>({
    severity: 'warning',
    example: { target: 'global_step1000' },
    words: ({ target, isIgnored }) => ({
      message: `This file names ${target} as the latest checkpoint, which is missing.`,
      effect: isIgnored === true ? pointerIgnored : 'Loading the latest checkpoint fails.',
      advice: 'Copy that checkpoint, or set the file to another one.',
    }),
  }),
  'pointer-names-older': defineFinding({
    severity: 'warning',
    example: { target: 'global_step1000', newer: 'global_step2000' },
    words: ({ target, newer }) => ({
      message: `This file names ${target} as the latest checkpoint, and ${newer} is newer.`,
      effect: `Loading without an explicit path takes ${target}. The pointer is written last: the save of ${newer} may be unfinished.`,
      advice: `Inspect ${newer} by itself. Set the file to it if its save has finished, else delete it when no job writes to it.`,
    }),
  }),
  'newer-link-not-followed': defineFinding({
    severity: 'warning',
    example: { target: '../scratch/checkpoint-1000', step: 1_000, newest: 'checkpoint-500' },
    words: ({ target, step, newest }) => ({
      message: `This leads to ${target} outside of the directory, which was not followed: step ${formatCount(step)} is newer than ${newest}, the newest that was read.`,
      effect: `A job may resume from it. The verdict of this report is that of ${newest}.`,
      advice: 'Inspect the target directory.',
    }),
  }),
  'tag-pointer-missing': defineFinding({
    severity: 'warning',
    example: { file: 'latest', tag: 'global_step1000' },
    words: ({ file, tag }) => ({
      message: lostTagPointer(file, tag),
      effect: 'Without a tag DeepSpeed loads nothing: load_checkpoint warns, and training starts from scratch.',
      advice: `Write ${tag} to the file, or pass the tag to load_checkpoint.`,
    }),
  }),
  'trainer-tag-pointer-missing': defineFinding({
    severity: 'error',
    example: { file: 'latest', tag: 'global_step1000' },
    words: ({ file, tag }) => ({
      message: lostTagPointer(file, tag),
      effect: 'Trainer passes no tag to DeepSpeed and fails to resume.',
      advice: `Write ${tag} to the file.`,
    }),
  }),
  'trainer-tag-missing': defineFinding({
    severity: 'error',
    example: { target: 'global_step1000' },
    words: ({ target }) => ({
      message: `This file names ${target} as the latest tag, which is missing.`,
      effect: 'Trainer passes no tag to DeepSpeed and fails to resume.',
      advice: 'Set the file to a tag that is here, or copy that tag.',
    }),
  }),
  'file-missing': defineFinding({
    severity: 'warning',
    example: { file: 'config.json', detail: 'the weights need it' },
    words: ({ file, detail }) => ({
      message: `${file} is missing: ${detail}.`,
      effect: 'Programs that need it fail, or continue without it.',
      advice: 'Copy it from the source, or from another checkpoint of the run.',
    }),
  }),
  'index-missing': defineFinding({
    severity: 'error',
    example: { file: 'model.safetensors.index.json' },
    words: ({ file }) => ({
      message: `${file} is missing: loaders cannot find the shards without it.`,
      effect: 'Loading the model fails; Trainer does not take the directory for a checkpoint.',
      advice:
        'Copy it from the source, or from another checkpoint of the run: the names of the tensors and their shards are the same.',
    }),
  }),
  'common-state-missing': defineFinding({
    severity: 'error',
    example: { file: 'iter_0001000/common.pt' },
    words: ({ file }) => ({
      message: `${file} is missing: metadata.json declares it.`,
      effect:
        'Megatron Core fails to load the checkpoint. Iteration, arguments and LR scheduler are lost, and how the optimizer state is sharded is unknown.',
      advice: 'Copy it from the source. Another checkpoint of the run has another iteration in it.',
    }),
  }),
  'save-unfinished': defineFinding({
    severity: 'error',
    example: { detail: '.metadata, which torch writes last, is missing' },
    words: ({ detail }) => ({
      message: `Save interrupted: ${detail}.`,
      effect:
        'The framework does not load this checkpoint, even if its data is complete. Some frameworks delete it with the next save.',
      advice: 'Use the previous checkpoint. Delete this one when no job writes to it.',
    }),
  }),
  'save-unindexed': defineFinding({
    severity: 'note',
    example: { tensors: 290, objects: 4 },
    words: ({ tensors, objects }) => ({
      message: `The rank files contain ${counted(tensors, 'complete tensor')} and ${counted(objects, 'object')} without names.`,
      effect: 'They can only be recovered by hand.',
      advice: 'Keep them only if there is no other checkpoint of this step.',
    }),
  }),
  'run-without-checkpoint': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'No finished checkpoint in this directory.',
      effect: 'There is nothing to resume from.',
      advice: 'Wait until the running job has saved, or check the directory of an earlier run.',
    }),
  }),
  'stale-files': defineFinding<{ files: number; bytes: number; first: string; refusedBy: string | null }>({
    severity: 'warning',
    example: { files: 4, bytes: 4_000_000_000, first: '__4_0.distcp, __5_0.distcp', refusedBy: null },
    words: ({ files, bytes, first, refusedBy }) => ({
      message: `${counted(files, 'file')} with ${formatBytes(bytes)} left over from an earlier save: ${first}.`,
      effect:
        refusedBy === null
          ? 'No index refers to them.'
          : `They are of ranks that this save does not have. Loading ignores them, ${refusedBy} fails with them.`,
      advice: 'Delete them. To avoid them, save each checkpoint to a new directory.',
    }),
  }),
  'step-differs': defineFinding({
    severity: 'warning',
    example: { named: 1_000, step: 500 },
    words: ({ named, step }) => ({
      message: `The save is named for step ${formatCount(named)}, this file contains step ${formatCount(step)}.`,
      effect: 'Resuming continues from the step in the file.',
      advice: 'Check which of the two was renamed or copied.',
    }),
  }),
  'step-directory-renamed': defineFinding({
    severity: 'warning',
    example: { named: 2_000, step: 1_000 },
    words: ({ named, step }) => ({
      message: `The directory is named for step ${formatCount(named)}, this file was written for step ${formatCount(step)}.`,
      effect: `Orbax takes the step from the name: training resumes at step ${formatCount(named)} with the state of step ${formatCount(step)}.`,
      advice: 'Check whether the directory was renamed or copied, and rename it back to resume at its own step.',
    }),
  }),
  'scheduler-step-differs': defineFinding({
    severity: 'warning',
    example: { own: 1_000, step: 500 },
    words: ({ own, step }) => ({
      message: `The LR scheduler is at step ${formatCount(own)}, the checkpoint at step ${formatCount(step)}.`,
      effect: 'The learning rate continues from the step of the scheduler.',
      advice:
        'Compare with another checkpoint of the run: the file may be from another save. A scheduler that restarted differs too.',
    }),
  }),
  'prepared-counts-differ': defineFinding({
    severity: 'note',
    example: { models: 2, optimizers: 1, schedulers: 2 },
    words: ({ models, optimizers, schedulers }) => ({
      message: `Different numbers of files: ${counted(models, 'model')}, ${counted(optimizers, 'optimizer')}, ${counted(schedulers, 'LR scheduler')}.`,
      effect:
        'Accelerate fails to load if the program prepared more of one than there are. Programs may prepare different numbers.',
      advice: 'Compare with another checkpoint of the run, or with the calls of accelerator.prepare.',
    }),
  }),
  'leftover-file': defineFinding<{ bytes: number; copyOf: string | null; missing?: string | null }>({
    severity: 'note',
    example: { bytes: 268_435_456, copyOf: null, missing: null },
    words: ({ bytes, copyOf, missing = null }) =>
      missing !== null
        ? {
            message: `${formatBytes(bytes)} of ${missing} from an interrupted save, copy or download; ${missing} itself is missing.`,
            effect: 'No loader uses this file.',
            advice: `Finish the copy or download, which may continue this file. Delete it once ${missing} is complete.`,
          }
        : copyOf === null
          ? {
              message: `${formatBytes(bytes)} left over from an interrupted save, copy or download.`,
              effect: 'No loader uses this file.',
              advice: 'Delete it when no save or copy is running.',
            }
          : {
              message: `${formatBytes(bytes)} in a file named as a second copy of ${copyOf}. The two were not compared.`,
              effect: 'It is not counted as state. Loaders that find files by a pattern may read it as well.',
              advice: `Move it elsewhere, or delete it if ${copyOf} is the one to keep.`,
            },
  }),
};

/** True for what concerns a save as a whole, though a file of it is named: what explains that file does not explain it. */
export function isOfSave(code: string): boolean {
  return Object.hasOwn(saveFindings, code);
}
