/** Findings of what is found in files of any kind, before anything in them is understood. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails, saveAgain } from './commonWords.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const fileFindings = {
  'file-unreadable': defineFinding({
    severity: 'error',
    example: { detail: 'EACCES: permission denied' },
    words: ({ detail }) => ({
      message: `The file cannot be read: ${detail}.`,
      effect: 'Its bytes are counted, but what they are is not known.',
      advice: 'Check the permissions, and that a link still points at a file.',
    }),
  }),
  'file-changed': defineFinding({
    severity: 'error',
    example: { expectedBytes: 267_180_392, bytes: 268_435_456 },
    words: ({ expectedBytes, bytes }) => ({
      message: `The file changed while it was inspected: it had ${formatExactBytes(expectedBytes)}, now ${formatExactBytes(bytes)}.`,
      effect: 'The save may still be running; the report shows a moment of it.',
      advice: 'Inspect again when the save is over.',
    }),
  }),
  'file-empty': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({ message: 'The file is empty.', effect: loadFails, advice: saveAgain }),
  }),
  'file-truncated': defineFinding<{ expectedBytes: number; bytes: number } | { detail: string }>({
    severity: 'error',
    example: { expectedBytes: 267_180_392, bytes: 100_000_000 },
    words: (facts) => ({
      message:
        'detail' in facts
          ? `The file ends too early: ${facts.detail}.`
          : `The file ends too early: its header speaks of ${formatExactBytes(facts.expectedBytes)}, the file has ${formatExactBytes(facts.bytes)}.`,
      effect: 'The tensors at its end are cut off or missing. Loading fails, with some tools only later or not at all.',
      advice: `${saveAgain} A full disk or a killed process are the usual reasons.`,
    }),
  }),
  'file-too-long': defineFinding({
    severity: 'error',
    example: { expectedBytes: 267_180_392, bytes: 267_180_904 },
    words: ({ expectedBytes, bytes }) => ({
      message: `The file is longer than what its header speaks of: ${formatExactBytes(expectedBytes)} described, ${formatExactBytes(bytes)} there.`,
      effect: 'Readers that follow the format refuse it; the extra bytes are nobody’s.',
      advice: 'Look for two saves into the same file, or a download that was resumed wrongly.',
    }),
  }),
  'file-zero-filled': defineFinding({
    severity: 'error',
    example: { bytes: 268_435_456 },
    words: ({ bytes }) => ({
      message: `Zeros stand where its data begin or end: ${formatExactBytes(bytes)} were set aside, but the data did not all arrive.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'file-is-lfs-pointer': defineFinding({
    severity: 'error',
    example: { expectedBytes: 4_976_698_672 },
    words: ({ expectedBytes }) => ({
      message: `This is a Git LFS pointer, not the data. The real file has ${formatExactBytes(expectedBytes)}.`,
      effect: 'The weights are not here.',
      advice: 'Run git lfs pull in the repository, or download the file.',
    }),
  }),
  'file-is-link-text': defineFinding({
    severity: 'error',
    example: { target: '../blobs/pytorch_model.bin' },
    words: ({ target }) => ({
      message: `This is the text of a link to ${target}, not the data.`,
      effect: 'Loading it fails: the link was copied as a file.',
      advice: 'Inspect what it names, and make the link again where it is needed.',
    }),
  }),
  'file-is-web-page': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'This is a web page or an error message, saved under the name of a data file.',
      effect: 'The data are not here.',
      advice: 'Download the file again, and look whether it needs a login.',
    }),
  }),
  'file-not-its-format': defineFinding({
    severity: 'error',
    example: { detail: 'neither a zip nor a pickle' },
    words: ({ detail }) => ({
      message: `The content is not what the name says: ${detail}.`,
      effect: 'What the file holds is not known; its bytes are counted as unexplained.',
      advice: 'Look at its first bytes, or at what wrote it.',
    }),
  }),
  'header-too-large': defineFinding({
    severity: 'error',
    example: { detail: 'the header is 120,000,000 bytes' },
    words: ({ detail }) => ({
      message: `The header is too large to be read: ${detail}.`,
      effect: 'The tensors of this file are not listed.',
      advice: 'Other readers refuse it as well; save it in more shards.',
    }),
  }),
  'header-corrupt': defineFinding({
    severity: 'error',
    example: { detail: 'the header is not UTF-8' },
    words: ({ detail }) => ({ message: `The header is damaged: ${detail}.`, effect: loadFails, advice: saveAgain }),
  }),
  'json-corrupt': defineFinding({
    severity: 'error',
    example: { detail: 'expected a comma' },
    words: ({ detail }) => ({
      message: `The JSON is damaged: ${detail}.`,
      effect: 'What it says is not known.',
      advice: saveAgain,
    }),
  }),
  'unsupported-version': defineFinding({
    severity: 'warning',
    example: { detail: 'superblock version 4' },
    words: ({ detail }) => ({
      message: `This version of the format is not supported: ${detail}.`,
      effect: 'Its bytes are counted, but what they are is not known.',
      advice: 'A newer version may know it.',
    }),
  }),
  'link-outside': defineFinding({
    severity: 'note',
    example: { files: 4, target: 'model.safetensors → ../../blobs/0f2c' },
    words: ({ files, target }) => ({
      message: `${formatCount(files)} files are links to files elsewhere: ${target}.`,
      effect: 'Their bytes are counted here, although they lie elsewhere.',
      advice: 'Nothing to do; this is how the Hugging Face cache is built.',
    }),
  }),
  'link-not-followed': defineFinding({
    severity: 'note',
    example: { target: '../checkpoint-500' },
    words: ({ target }) => ({
      message: `A link to a directory was not followed: ${target}.`,
      effect: 'What lies behind it is not part of this report.',
      advice: 'Inspect that directory itself.',
    }),
  }),
  'listing-incomplete': defineFinding({
    severity: 'error',
    example: { detail: 'EACCES: permission denied' },
    words: ({ detail }) => ({
      message: `The listing is not complete: ${detail}.`,
      effect: 'Files that could not be listed are not counted.',
      advice: 'Check the permissions, or inspect a smaller directory.',
    }),
  }),
  'nothing-here': defineFinding({
    severity: 'note',
    example: null,
    words: () => ({
      message: 'There are no files here.',
      effect: 'There is nothing to account for.',
      advice: 'If a save is running, its files may not have their names yet: inspect again later.',
    }),
  }),
  'layout-unknown': defineFinding({
    severity: 'note',
    example: { files: 12, seen: 'notes.txt, data.xyz' },
    words: ({ files, seen }) => ({
      message: `This is no checkpoint layout that is known. Files: ${formatCount(files)}, such as ${seen}.`,
      effect: 'Every byte is still counted, as far as names and first bytes tell what it is.',
      advice:
        'Checkpoints have weights (model.safetensors, pytorch_model.bin, *.pt), an index, or trainer_state.json. Inspect the directory that holds them.',
    }),
  }),
  'internal-error': defineFinding({
    severity: 'error',
    example: { detail: 'RangeError: Invalid array length' },
    words: ({ detail }) => ({
      message: `Reading this file failed in an unforeseen way: ${detail}.`,
      effect: 'Its bytes are counted, the rest of the report stands.',
      advice: 'Please report this, with the first bytes of the file if you can.',
    }),
  }),
};
