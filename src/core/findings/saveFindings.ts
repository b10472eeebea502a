/** Findings of saves: what is unfinished, left over, or of another step. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const saveFindings = {
  'rank-file-missing': defineFinding({
    severity: 'error',
    example: { files: 2, worldSize: 8, first: 'rng_state_3.pth, rng_state_5.pth' },
    words: ({ files, worldSize, first }) => ({
      message: `Files of ${formatCount(files)} of ${formatCount(worldSize)} ranks are not here: ${first}.`,
      effect: 'What only these ranks stored is lost.',
      advice: 'Look on the disks of the other nodes, where each saves to its own.',
    }),
  }),
  'rank-step-differs': defineFinding({
    severity: 'error',
    example: { step: 500, usual: 1_000 },
    words: ({ step, usual }) => ({
      message: `This rank’s file is of step ${formatCount(step)}, those of the others are of step ${formatCount(usual)}.`,
      effect: 'The ranks would go on from different states: the result is that of no training.',
      advice: 'It is left over from another save, or the save did not end: use a checkpoint whose ranks agree.',
    }),
  }),
  'rank-file-older': defineFinding({
    severity: 'warning',
    example: { ranks: '3, 5', count: 2, hours: 6 },
    words: ({ ranks, count, hours }) => ({
      message: `${formatCount(count)} ranks wrote up to ${formatCount(hours)} hours before the others: ${ranks}.`,
      effect: 'Their files may be left from an earlier save, so that the ranks do not fit together.',
      advice: 'Compare their step with that of the others; times also differ where files were copied one by one.',
    }),
  }),
  'rank-file-small': defineFinding({
    severity: 'warning',
    example: { bytes: 1_000_000_000, usualBytes: 4_000_000_000 },
    words: ({ bytes, usualBytes }) => ({
      message: `This rank’s file has ${formatExactBytes(bytes)}, the largest of the other ranks’ ${formatExactBytes(usualBytes)}.`,
      effect: 'Ranks store equal shares: a part of this one’s may be missing.',
      advice: 'Compare with another checkpoint of the run, and look for a full disk on the rank’s node.',
    }),
  }),
  'pointer-target-unfinished': defineFinding({
    severity: 'warning',
    example: { target: 'global_step1000' },
    words: ({ target }) => ({
      message: `It says that the latest checkpoint is ${target}, whose save was interrupted.`,
      effect: 'Loading without naming a checkpoint fails, or starts from a state that is not whole.',
      advice: 'Let it name the checkpoint before that one.',
    }),
  }),
  'pointer-target-missing': defineFinding({
    severity: 'warning',
    example: { target: 'global_step1000' },
    words: ({ target }) => ({
      message: `It says that the latest checkpoint is ${target}, which is not here.`,
      effect: 'Loading without naming a checkpoint fails.',
      advice: 'Copy that checkpoint as well, or name another one.',
    }),
  }),
  'file-missing': defineFinding({
    severity: 'warning',
    example: { file: 'config.json', detail: 'the weights need it' },
    words: ({ file, detail }) => ({
      message: `${file} is not here: ${detail}.`,
      effect: 'What needs it fails, or goes on without it.',
      advice: 'Copy it from where the checkpoint was saved, or from another one of the run.',
    }),
  }),
  'save-unfinished': defineFinding({
    severity: 'error',
    example: { detail: '.metadata, which torch writes last, is not here' },
    words: ({ detail }) => ({
      message: `The save was interrupted: ${detail}.`,
      effect:
        'The framework does not load this checkpoint, although the data in it may be whole; some remove it with their next save.',
      advice: 'Use the checkpoint before this one; delete this one when nobody is writing it any more.',
    }),
  }),
  'save-unindexed': defineFinding({
    severity: 'note',
    example: { tensors: 290, objects: 4 },
    words: ({ tensors, objects }) => ({
      message: `The ranks’ files hold ${formatCount(tensors)} tensors and ${formatCount(objects)} objects that are whole, without their names.`,
      effect: 'They could be put together by hand only.',
      advice: 'Keep them only when there is no other checkpoint of this step.',
    }),
  }),
  'run-without-checkpoint': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'No save in this directory was finished.',
      effect: 'There is nothing to go on from.',
      advice: 'Wait until the job that is writing has ended, or look in the directory of an earlier run.',
    }),
  }),
  'stale-files': defineFinding({
    severity: 'warning',
    example: { files: 4, bytes: 4_000_000_000, first: '__4_0.distcp, __5_0.distcp' },
    words: ({ files, bytes, first }) => ({
      message: `${formatCount(files)} files with ${formatExactBytes(bytes)} are left from an earlier save into this directory: ${first}.`,
      effect: 'Nothing refers to them: they only take space.',
      advice: 'They can be deleted. Saving each checkpoint into a new directory avoids them.',
    }),
  }),
  'step-differs': defineFinding({
    severity: 'warning',
    example: { named: 1_000, step: 500 },
    words: ({ named, step }) => ({
      message: `The directory's name says step ${formatCount(named)}, trainer_state.json says ${formatCount(step)}.`,
      effect: 'Resuming goes on from the step in the file.',
      advice: 'Find out which of the two was renamed or copied.',
    }),
  }),
  'leftover-file': defineFinding({
    severity: 'note',
    example: { bytes: 268_435_456 },
    words: ({ bytes }) => ({
      message: `A file of an interrupted save or download was left behind: ${formatExactBytes(bytes)}.`,
      effect: 'No loader uses it.',
      advice: 'It can be deleted once no save is running.',
    }),
  }),
};
