/** Findings of tensors and their dtypes. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails, saveAgain } from './commonWords.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount, formatDifferentBytes } from '../text/units.js';

export const tensorFindings = {
  'tensor-out-of-range': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 33_554_432, expectedBytes: 16_777_216 },
    words: ({ tensor, bytes, expectedBytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `${tensor} needs ${found}; its storage has ${expected}.`,
        effect: loadFails,
        advice: saveAgain,
      };
    },
  }),
  'parameters-not-known': defineFinding({
    severity: 'note',
    example: { tensors: 224, counted: 525_340_672, method: 'spqr' },
    words: ({ tensors, counted: found, method }) => ({
      message: `Number of parameters not known: ${counted(tensors, 'packed tensor')}${method === '' ? '' : ` of ${method}`} cannot be counted from headers.`,
      effect: `The ${formatCount(found)} counted parameters are those of the other tensors.`,
      advice: 'Take the count from the model that was quantized.',
    }),
  }),
  'tensor-overlap': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 4_096 },
    words: ({ tensor, bytes }) => ({
      message: `${formatBytes(bytes)} of ${tensor} overlap the previous tensor.`,
      effect: 'Spec-conforming readers reject the file; others return wrong values.',
      advice: 'Save again with the framework’s own writer.',
    }),
  }),
  'tensor-gap': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 4_096 },
    words: ({ tensor, bytes }) => ({
      message: `${formatBytes(bytes)} before ${tensor} belong to no tensor.`,
      effect: 'Spec-conforming readers reject the file.',
      advice: 'Save again with the framework’s own writer.',
    }),
  }),
  'tensor-size-mismatch': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 16_777_216, expectedBytes: 33_554_432 },
    words: ({ tensor, bytes, expectedBytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `${tensor} has ${found}; its dtype and shape need ${expected}.`,
        effect: loadFails,
        advice: saveAgain,
      };
    },
  }),
  'tensor-name-duplicate': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight' },
    words: ({ tensor }) => ({
      message: `Duplicate tensor in this file: ${tensor}.`,
      effect: 'Which copy is loaded depends on the reader.',
      advice: 'Save the file again.',
    }),
  }),
  'tensor-shape-overflow': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight' },
    words: ({ tensor }) => ({
      message: `The shape of ${tensor} declares more elements than a file can contain.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'tensor-rank-limit': defineFinding({
    severity: 'warning',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', rank: 40 },
    words: ({ tensor, rank }) => ({
      message: `${tensor} has ${formatCount(rank)} dimensions; only the first are shown.`,
      effect: 'No known framework writes such a tensor.',
      advice: 'Check the program that wrote the file.',
    }),
  }),
  'tensor-chunks-missing': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', covered: 8_388_608, elements: 16_777_216 },
    words: ({ tensor, covered, elements }) => ({
      message: `${formatCount(covered)} of ${formatCount(elements)} elements of ${tensor} are stored; chunks are missing.`,
      effect: 'Loading fails or leaves the other elements unchanged.',
      advice: saveAgain,
    }),
  }),
  'tensor-slices-missing': defineFinding({
    severity: 'error',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 16_777_216, expectedBytes: 33_554_432 },
    words: ({ tensor, bytes, expectedBytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `${found} of ${expected} of ${tensor} are in the rank files.`,
        effect: 'The tensor is incomplete: a rank file is missing or from another save.',
        advice: 'Copy the files of all ranks into this directory.',
      };
    },
  }),
  'dtype-unknown': defineFinding({
    severity: 'warning',
    example: { dtype: 'F3_E1M1' },
    words: ({ dtype }) => ({
      message: `Unknown dtype: ${dtype}.`,
      effect: 'Its tensors are listed with their stored bytes; element counts are not checked.',
      advice: 'Update Stowage: a newer version may support it.',
    }),
  }),
};
