/** Findings of archives and pickles, as torch.save writes them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails, saveAgain, truncationCauses } from './commonWords.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount, formatDifferentBytes } from '../text/units.js';

export const archiveFindings = {
  'zip-directory-missing': defineFinding({
    severity: 'error',
    example: { detail: 'there is no end of central directory' },
    words: ({ detail }) => ({
      message: `Archive truncated: ${detail}.`,
      effect: 'torch.load fails with “failed finding central directory”. The save was interrupted, or the file was cut.',
      advice: `${saveAgain} ${truncationCauses}`,
    }),
  }),
  'zip-record-corrupt': defineFinding({
    severity: 'error',
    example: { record: 'archive/data/7', bytes: 33_554_432, expectedBytes: 16_777_216 },
    words: ({ record, bytes, expectedBytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `Record ${record} declares ${found}, but only ${expected} fit.`,
        effect: loadFails,
        advice: saveAgain,
      };
    },
  }),
  'zip-record-lost': defineFinding({
    severity: 'error',
    example: { record: 'archive/data.pkl' },
    words: ({ record }) => ({
      message: `Start of the file overwritten: record ${record} is not at the offset in the directory.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'zip-readers-differ': defineFinding({
    severity: 'warning',
    example: { record: 'archive/data.pkl', detail: 'it is listed 2 times' },
    words: ({ record, detail }) => ({
      message: `Readers of the archive differ over ${record}: ${detail}.`,
      effect: 'One program loads other contents than another one. Imports are listed of all that are found.',
      advice: 'Check where the file comes from: no known framework writes such an archive.',
    }),
  }),
  'storage-missing': defineFinding({
    severity: 'error',
    example: { storage: '7', tensor: 'model.layers.0.self_attn.q_proj.weight', storages: 1 },
    words: ({ storage, tensor, storages }) => ({
      message:
        storages === 1
          ? `Storage ${storage} of ${tensor} is missing.`
          : `${counted(storages, 'storage')} are missing: the first is ${storage} of ${tensor}.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'storage-size-mismatch': defineFinding({
    severity: 'error',
    example: {
      storage: '7',
      tensor: 'model.layers.0.self_attn.q_proj.weight',
      bytes: 16_777_216,
      expectedBytes: 33_554_432,
      storages: 1,
    },
    words: ({ storage, tensor, bytes, expectedBytes, storages }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `Storage ${storage} of ${tensor} has ${found}, but needs ${expected}.${storages === 1 ? '' : ` The same holds for ${counted(storages - 1, 'other storage')}.`}`,
        effect: loadFails,
        advice: saveAgain,
      };
    },
  }),
  'view-keeps-large-storage': defineFinding({
    severity: 'warning',
    example: { tensor: 'model.layers.0.self_attn.q_proj.weight', usedBytes: 4_096, bytes: 33_554_432 },
    words: ({ tensor, usedBytes, bytes }) => ({
      message: `${tensor} uses ${formatBytes(usedBytes)} of a storage of ${formatBytes(bytes)}.`,
      effect: 'torch.save writes the whole storage of a view.',
      advice: 'Save a copy of the view: tensor.clone().',
    }),
  }),
  'pickle-corrupt': defineFinding({
    severity: 'error',
    example: { record: 'data.pkl', detail: 'unknown opcode 0x01' },
    words: ({ record, detail }) => ({
      message: `Pickle corrupt in ${record}: ${detail}.`,
      effect: 'Its tensors and values are not listed.',
      advice: saveAgain,
    }),
  }),
  'pickle-too-large': defineFinding({
    severity: 'warning',
    example: { bytes: 400_000_000, limitBytes: 268_435_456 },
    words: ({ bytes, limitBytes }) => {
      const [found, limit] = formatDifferentBytes(bytes, limitBytes);
      return {
        message: `Pickle too large: ${found}, at most ${limit} are read.`,
        effect: 'Its tensors and values are not listed.',
        advice: 'Inspect it with the framework that wrote it.',
      };
    },
  }),
  'pickle-walk-limit': defineFinding({
    severity: 'warning',
    example: { nodes: 10_000_000, depth: 100 },
    words: ({ nodes, depth }) => ({
      message: `Listing stopped after ${formatCount(nodes)} values or ${formatCount(depth)} levels: the object refers to itself too often or too deeply.`,
      effect: 'Some tensors of this file may not be listed.',
      advice: 'Check where the file comes from: no known framework writes such an object.',
    }),
  }),
  'pickle-import-unexpected': defineFinding({
    severity: 'warning',
    example: { import: 'os.system' },
    words: ({ import: imported }) => ({
      message: `Unexpected import in a pickle: ${imported}.`,
      effect: 'Unpickling imports it and may run it. Stowage does neither.',
      advice: 'Load with weights_only=True, and check where the file comes from.',
    }),
  }),
};
