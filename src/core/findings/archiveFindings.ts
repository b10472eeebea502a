/** Findings of archives and pickles, as torch.save writes them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails, saveAgain } from './commonWords.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const archiveFindings = {
  'zip-directory-missing': defineFinding({
    severity: 'error',
    example: { detail: 'there is no end of central directory' },
    words: ({ detail }) => ({
      message: `The end of the archive is missing: ${detail}.`,
      effect: 'torch.load fails with “failed finding central directory”. The save did not end, or the file was cut.',
      advice: `${saveAgain} A full disk or a killed process are the usual reasons.`,
    }),
  }),
  'zip-record-corrupt': defineFinding({
    severity: 'error',
    example: { record: 'archive/data/7', bytes: 33_554_432, expectedBytes: 16_777_216 },
    words: ({ record, bytes, expectedBytes }) => ({
      message: `The record ${record} is said to take ${formatExactBytes(bytes)}, but there is room for ${formatExactBytes(expectedBytes)}.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'zip-record-lost': defineFinding({
    severity: 'error',
    example: { record: 'archive/data.pkl' },
    words: ({ record }) => ({
      message: `The file’s beginning was overwritten: the record ${record} does not start where the directory says.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'storage-missing': defineFinding({
    severity: 'error',
    example: { storage: '7', tensor: 'model.layers.0.self_attn.q_proj.weight' },
    words: ({ storage, tensor }) => ({
      message: `The storage ${storage} of ${tensor} is not in the file.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'storage-size-mismatch': defineFinding({
    severity: 'error',
    example: { storage: '7', tensor: 'model.layers.0.self_attn.q_proj.weight', bytes: 16_777_216, expectedBytes: 33_554_432 },
    words: ({ storage, tensor, bytes, expectedBytes }) => ({
      message: `The storage ${storage} of ${tensor} takes ${formatExactBytes(bytes)}, but ${formatExactBytes(expectedBytes)} are needed.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'view-keeps-large-storage': defineFinding({
    severity: 'warning',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', usedBytes: 4_096, bytes: 33_554_432 },
    words: ({ tensor, usedBytes, bytes }) => ({
      message: `${tensor} uses ${formatExactBytes(usedBytes)} of a storage of ${formatExactBytes(bytes)}: saving a slice saves all of it.`,
      effect: 'The rest takes space for nothing.',
      advice: 'Save a clone of the slice: tensor.clone().',
    }),
  }),
  'pickle-corrupt': defineFinding({
    severity: 'error',
    example: { record: 'data.pkl', detail: 'unknown opcode 0x01' },
    words: ({ record, detail }) => ({
      message: `The object in ${record} is damaged: ${detail}.`,
      effect: 'Its tensors and values cannot be listed.',
      advice: saveAgain,
    }),
  }),
  'pickle-too-large': defineFinding({
    severity: 'warning',
    example: { bytes: 400_000_000, limitBytes: 268_435_456 },
    words: ({ bytes, limitBytes }) => ({
      message: `The pickled object takes ${formatExactBytes(bytes)}; up to ${formatExactBytes(limitBytes)} are read.`,
      effect: 'Its tensors and values are not listed.',
      advice: 'Inspect it with the framework that wrote it.',
    }),
  }),
  'pickle-walk-limit': defineFinding({
    severity: 'warning',
    example: { nodes: 10_000_000, depth: 100 },
    words: ({ nodes, depth }) => ({
      message: `The object refers to itself so often, or so deep, that the listing stopped after ${formatCount(nodes)} values or ${formatCount(depth)} levels.`,
      effect: 'Some tensors of this file may not be listed.',
      advice: 'No framework writes such an object: look at where the file comes from.',
    }),
  }),
  'pickle-import-unexpected': defineFinding({
    severity: 'warning',
    example: { import: 'os.system' },
    words: ({ import: imported }) => ({
      message: `A pickle names ${imported}, which checkpoints of known frameworks do not need.`,
      effect: 'Loading the file with pickle would import it, and could run it. Stowage does not.',
      advice: 'Load it with weights_only=True, and ask where the file comes from.',
    }),
  }),
};
