/** Findings of the values of tensors, which `stowage values` reads. Names come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted, listed } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

export const valueFindings = {
  'values-not-finite': defineFinding({
    severity: 'error',
    example: {
      tensor: 'model.layers.17.mlp.down_proj.weight',
      index: '[4, 1029]',
      nan: 3,
      inf: 1,
      count: 58_720_256,
      component: 'weights',
    },
    words: ({ tensor, index, nan, inf, count, component }) => ({
      message: `${listed([...(nan > 0 ? [`${formatCount(nan)} NaN`] : []), ...(inf > 0 ? [`${formatCount(inf)} Inf`] : [])])} among ${counted(count, 'value')} of ${tensor}${index === '' ? '' : `, the first at ${index}`}.`,
      effect:
        component === 'optimizer'
          ? 'A step from this state makes the parameter NaN.'
          : 'What is computed with this tensor is NaN or Inf, and so is everything after it.',
      advice: 'Go back to the last checkpoint without: run the same on the one before.',
    }),
  }),
  'values-unreadable': defineFinding({
    severity: 'error',
    example: { tensors: 2, first: 'lm_head.weight', detail: 'the disk reports an error (EIO)' },
    words: ({ tensors, first, detail }) => ({
      message: `Values of ${counted(tensors, 'tensor')} cannot be read (${first}): ${detail}.`,
      effect: 'Loading them fails, too.',
      advice: 'Copy the file again from its source.',
    }),
  }),
  'logged-values-not-finite': defineFinding({
    severity: 'warning',
    example: { path: 'checkpoint-30', date: '2026-11-20', tensors: 2, of: 291 },
    words: ({ path, date, tensors, of }) => ({
      message: `${formatCount(tensors)} of ${counted(of, 'tensor')}${path === '' ? '' : ` of ${path}`} had values that are not finite when they were read on ${date}.`,
      effect: 'Names, sizes and times of files are the same since: as far as these tell, the values still are.',
      advice: 'Read values again to see which tensors, and go back to the last checkpoint without.',
    }),
  }),
  'values-all-zero': defineFinding({
    severity: 'note',
    example: { tensor: 'model.layers.17.mlp.down_proj.weight', count: 58_720_256 },
    words: ({ tensor, count }) => ({
      message: `All ${counted(count, 'value')} of ${tensor} are 0.`,
      effect: 'The layer passes nothing on. It was not trained, not loaded before the save, or is zero by design.',
      advice: 'Compare with the checkpoint before, or with the model that training began with.',
    }),
  }),
  'values-all-equal': defineFinding({
    severity: 'note',
    example: { tensor: 'model.layers.17.mlp.down_proj.weight', value: 0.5, count: 58_720_256 },
    words: ({ tensor, value, count }) => ({
      message: `All ${counted(count, 'value')} of ${tensor} are ${value}.`,
      effect: 'A weight of one value was not trained, or not loaded before the save.',
      advice: 'Compare with the checkpoint before, or with the model that training began with.',
    }),
  }),
};
