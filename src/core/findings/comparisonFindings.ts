/** Findings of the values of two checkpoints, which `stowage compare --values` reads. */
import { defineFinding } from './defineFinding.js';
import { counted, listed } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

/** Parts of names that a finding lists. */
const mostListed = 5;

function someOf(names: readonly string[]): string {
  const more = names.length - mostListed;
  return more > 0 ? `${names.slice(0, mostListed).join(', ')} and ${formatCount(more)} more` : listed(names);
}

/** Of tensors with NaN or Inf in how many the other checkpoint has something else there. */
function notFiniteElsewhere(tensors: number, differing: number): string {
  if (differing === 0) return 'the other side has the same ones at the same places';
  return differing === tensors
    ? 'the other side has other values there'
    : `the other side has other values there in ${formatCount(differing)} of them`;
}

export const comparisonFindings = {
  'layers-frozen': defineFinding({
    severity: 'note',
    example: { layers: ['layers.0', 'layers.1'], tensors: 18, of: 291, isSample: false },
    words: ({ layers, tensors, of, isSample }: { layers: string[]; tensors: number; of: number; isSample: boolean }) => ({
      message: `All values of ${counted(layers.length, 'layer')} are equal${isSample ? ' in the sample' : ''} (${someOf(layers)}); ${formatCount(tensors)} of ${counted(of, 'tensor')} ${tensors === 1 ? 'differs' : 'differ'}.`,
      effect: 'These layers were frozen between both checkpoints, or are of one origin.',
      advice: 'If they were to be trained, check which parameters the optimizer has.',
    }),
  }),
  'modules-changed': defineFinding({
    severity: 'note',
    example: { modules: ['q_proj', 'v_proj'], tensors: 64, of: 291 },
    words: ({ modules, tensors, of }: { modules: string[]; tensors: number; of: number }) => ({
      message: `Only tensors of ${someOf(modules)} differ in values: ${formatCount(tensors)} of ${counted(of, 'tensor')}.`,
      effect: 'An adapter of these modules that was merged changes no others, and neither does training them alone.',
      advice: 'Compare with target_modules of the adapter, if there was one.',
    }),
  }),
  'weights-rounded': defineFinding({
    severity: 'note',
    example: { rounded: 'B', dtype: 'bf16', from: 'f32', storedAs: 'bf16', tensors: 226, equal: 65, isSample: false },
    words: ({ rounded, dtype, from, storedAs, tensors, equal, isSample }) => ({
      message: `${rounded} is the other checkpoint rounded from ${from} to ${dtype}${storedAs === dtype ? '' : `, and stored as ${storedAs}`}: that explains all differences of ${counted(tensors, 'tensor')}${equal === 0 ? '' : `, values of ${formatCount(equal)} more are equal`}${isSample ? ', in the sample' : ''}.`,
      effect: 'Both are one model. The rounded one has lost the digits that an optimizer adds small steps to.',
      advice: `Resume from ${rounded === 'A' ? 'B' : 'A'}.`,
    }),
  }),
  'compared-values-not-finite': defineFinding({
    severity: 'warning',
    example: { values: 3, tensors: 1, first: 'model.layers.17.mlp.down_proj.weight', differing: 1 },
    words: ({ values, tensors, first, differing }) => ({
      message: `${counted(values, 'value')} of ${counted(tensors, 'tensor')} ${values === 1 ? 'is' : 'are'} NaN or Inf (${first}); ${notFiniteElsewhere(tensors, differing)}.`,
      effect: 'They are in no distance. What is computed with these tensors is NaN or Inf.',
      advice: 'Run `stowage values` on this side: it names each tensor, with the place of the first.',
    }),
  }),
  'changed-while-compared': defineFinding({
    severity: 'error',
    example: { files: 2, first: 'model-00002-of-00004.safetensors' },
    words: ({ files, first }) => ({
      message: `${counted(files, 'file')} changed while both were compared (${first}).`,
      effect: 'Differences may be of two states of the checkpoint.',
      advice: 'Compare again once nothing writes there.',
    }),
  }),
};
