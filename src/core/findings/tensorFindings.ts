/** Findings of tensors and their dtypes. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails, saveAgain } from './commonWords.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const tensorFindings = {
  'tensor-out-of-range': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 33_554_432, expectedBytes: 16_777_216 },
    words: ({ tensor, bytes, expectedBytes }) => ({
      message: `${tensor} reaches beyond its storage: it needs ${formatExactBytes(bytes)} of ${formatExactBytes(expectedBytes)}.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'tensor-overlap': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 4_096 },
    words: ({ tensor, bytes }) => ({
      message: `${tensor} overlaps the tensor before it by ${formatExactBytes(bytes)}.`,
      effect: 'Readers that follow the format refuse the file; others give wrong values.',
      advice: 'Save it again with the framework’s own writer.',
    }),
  }),
  'tensor-gap': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 4_096 },
    words: ({ tensor, bytes }) => ({
      message: `There is a hole of ${formatExactBytes(bytes)} before ${tensor}.`,
      effect: 'Readers that follow the format refuse the file.',
      advice: 'Save it again with the framework’s own writer.',
    }),
  }),
  'tensor-size-mismatch': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 16_777_216, expectedBytes: 33_554_432 },
    words: ({ tensor, bytes, expectedBytes }) => ({
      message: `${tensor} takes ${formatExactBytes(bytes)}, but its dtype and shape need ${formatExactBytes(expectedBytes)}.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'tensor-name-duplicate': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight' },
    words: ({ tensor }) => ({
      message: `${tensor} is there more than once in the same file.`,
      effect: 'Which one is loaded depends on the reader.',
      advice: 'Save the file again.',
    }),
  }),
  'tensor-shape-overflow': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight' },
    words: ({ tensor }) => ({
      message: `The shape of ${tensor} has more elements than any file holds.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'tensor-rank-limit': defineFinding({
    severity: 'warning',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', rank: 40 },
    words: ({ tensor, rank }) => ({
      message: `${tensor} has ${formatCount(rank)} dimensions; the first ones are shown.`,
      effect: 'No framework makes such a tensor.',
      advice: 'Look at what wrote the file.',
    }),
  }),
  'tensor-chunks-missing': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', covered: 8_388_608, elements: 16_777_216 },
    words: ({ tensor, covered, elements }) => ({
      message: `${tensor}: the stored chunks cover ${formatCount(covered)} of ${formatCount(elements)} elements.`,
      effect: 'Loading it fails, or leaves a part of it as it was.',
      advice: saveAgain,
    }),
  }),
  'tensor-slices-missing': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 16_777_216, expectedBytes: 33_554_432 },
    words: ({ tensor, bytes, expectedBytes }) => ({
      message: `${tensor}: the ranks' files hold ${formatExactBytes(bytes)} of ${formatExactBytes(expectedBytes)}.`,
      effect: 'The tensor cannot be put together: a rank’s file is missing, or of another save.',
      advice: 'Copy the files of all ranks into this directory.',
    }),
  }),
  'dtype-unknown': defineFinding({
    severity: 'warning',
    example: { dtype: 'F3_E1M1' },
    words: ({ dtype }) => ({
      message: `The dtype ${dtype} is not known.`,
      effect: 'Its tensors are listed with the bytes that they take; elements of it are not checked.',
      advice: 'A newer version may know it.',
    }),
  }),
};
