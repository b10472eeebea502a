/** Findings of what is found in files of any kind, before anything in them is understood. Facts come from files and are shown as text. */
import { linkWithoutTarget, specialFile } from '../files/fileTree.js';
import { defineFinding } from './defineFinding.js';
import { loadFails, saveAgain, truncationCauses } from './commonWords.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount, formatDifferentBytes } from '../text/units.js';

/** What is said of entries that have no bytes of their own. */
const unreadableEffects: Readonly<Record<string, string>> = {
  [linkWithoutTarget]: 'No bytes are counted: what the link should lead to is missing.',
  [specialFile]: 'No bytes are counted, and loaders that open it wait or fail.',
};

export const fileFindings = {
  'file-unreadable': defineFinding({
    severity: 'error',
    example: { detail: 'EACCES: permission denied' },
    words: ({ detail }) => ({
      message: `File not readable: ${detail}.`,
      effect: unreadableEffects[detail] ?? 'Its bytes are counted, its contents are not listed.',
      advice: 'Check permissions and the targets of links.',
    }),
  }),
  'file-changed': defineFinding({
    severity: 'error',
    example: { expectedBytes: 267_180_392, bytes: 268_435_456 },
    words: ({ expectedBytes, bytes }) => {
      const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
      return {
        message: `File changed during inspection: ${expected} when listed, ${found} when read.`,
        effect: 'A save may still be running; the report may mix two states.',
        advice: 'Inspect again when the save has finished.',
      };
    },
  }),
  'logged-verification-failed': defineFinding({
    severity: 'warning',
    example: { path: 'checkpoint-30', date: '2026-11-20', files: 1, of: 12 },
    words: ({ path, date, files, of }) => ({
      message: `${formatCount(files)} of ${counted(of, 'file')}${path === '' ? '' : ` of ${path}`} failed when checksums were compared on ${date}.`,
      effect: 'Names, sizes and times of files are the same since: what was damaged or missing still is, as far as these tell.',
      advice: 'Verify again to see which files, and copy them again from their source.',
    }),
  }),
  'file-empty': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'The file is empty.',
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'file-truncated': defineFinding<DeclaredSize | { detail: string }>({
    severity: 'error',
    example: { expectedBytes: 267_180_392, bytes: 100_000_000 },
    words: (facts) => ({
      message: `File truncated: ${'detail' in facts ? facts.detail : sizesInWords(facts)}.`,
      effect: 'Tensors at the end are incomplete or missing. Some loaders fail only when they read them, or not at all.',
      advice: `${saveAgain} ${truncationCauses}`,
    }),
  }),
  'file-too-long': defineFinding<DeclaredSize>({
    severity: 'error',
    example: { expectedBytes: 267_180_392, bytes: 267_180_904 },
    words: (facts) => ({
      message: `File too long: ${sizesInWords(facts)}.`,
      effect: `Spec-conforming readers reject it. ${formatBytes(facts.bytes - facts.expectedBytes)} belong to no tensor.`,
      advice: 'Check for two writers to the same file, or a download that was resumed incorrectly.',
    }),
  }),
  'bytes-behind-end': defineFinding<DeclaredSize>({
    severity: 'warning',
    example: { expectedBytes: 267_180_392, bytes: 267_180_904 },
    words: (facts) => ({
      message: `Bytes behind the end that the header declares: ${sizesInWords(facts)}.`,
      effect: `The library ignores them: ${formatBytes(facts.bytes - facts.expectedBytes)} are nothing that it reads. What they are was not checked.`,
      advice: 'Check whether a program was still writing, or copy the file again from its source.',
    }),
  }),
  'file-zero-filled': defineFinding({
    severity: 'error',
    example: { bytes: 268_435_456 },
    words: ({ bytes }) => ({
      message: `Zero-filled: this file of ${formatBytes(bytes)} reads as zeros in part or as a whole. Sampled blocks were read.`,
      effect: `Space was allocated, but not all data was written or copied. ${loadFails}`,
      advice: saveAgain,
    }),
  }),
  'file-takes-less-space': defineFinding({
    severity: 'note',
    example: { bytes: 200_000_000, missingBytes: 12_000_000 },
    words: ({ bytes, missingBytes }) => ({
      message: `${formatBytes(missingBytes)} of ${formatBytes(bytes)} take no space on the disk.`,
      effect:
        'A file system that compresses does that. On any other they are holes: data that was never written and reads as zeros.',
      advice: 'Compare checksums with the source, or copy the file again, unless the file system compresses.',
    }),
  }),
  'file-has-holes': defineFinding({
    severity: 'warning',
    example: { bytes: 268_435_456, missingBytes: 134_217_728 },
    words: ({ bytes, missingBytes }) => ({
      message: `${formatBytes(missingBytes)} of ${formatBytes(bytes)} take no space on the disk, and a stretch of the file reads as zeros.`,
      effect:
        'Data were never written, or are zeros that a copy left out or a file system compressed: these read alike. Sampled blocks were read.',
      advice: 'Compare the file with its source by checksum.',
    }),
  }),
  'download-unfinished': defineFinding({
    severity: 'error',
    example: { control: 'model.safetensors.aria2' },
    words: ({ control }) => ({
      message: `Download unfinished: ${control} is beside the file.`,
      effect: 'aria2 removes it once the file is complete. Parts that did not arrive are zeros.',
      advice: 'Start the same download again, which completes the file, or download it anew.',
    }),
  }),
  'download-incomplete': defineFinding({
    severity: 'warning',
    example: { files: 2, bytes: 4_976_698_672 },
    words: ({ files, bytes }) => ({
      message: `${counted(files, 'download')} of hf download interrupted: ${formatBytes(bytes)} are here.`,
      effect: 'The files that they were to become are missing, or are of an earlier revision.',
      advice: 'Run the same hf download --local-dir again, which completes them.',
    }),
  }),
  'file-is-lfs-pointer': defineFinding({
    severity: 'error',
    example: { expectedBytes: 4_976_698_672 },
    words: ({ expectedBytes }) => ({
      message: `Git LFS pointer instead of the data file (${formatBytes(expectedBytes)}).`,
      effect: 'The contents of the file are missing.',
      advice: 'Run "git lfs pull" in the repository, or download the file.',
    }),
  }),
  'file-is-link-text': defineFinding({
    severity: 'error',
    example: { target: '../blobs/pytorch_model.bin' },
    words: ({ target }) => ({
      message: `Text of a link to ${target} instead of the data.`,
      effect: 'Loading fails: the link was copied as a regular file.',
      advice: 'Inspect the target, and create the link again.',
    }),
  }),
  'file-is-web-page': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'Web page or error message instead of the data.',
      effect: 'The contents of the file are missing.',
      advice: 'Download the file again. Check whether the download requires a login.',
    }),
  }),
  'file-saved-as-text': defineFinding({
    severity: 'error',
    example: { replacements: 1_743 },
    words: ({ replacements }) => ({
      message: `Binary file saved as text: ${counted(replacements, 'replacement character')} (U+FFFD) in its first and last 4 KiB.`,
      effect: 'The bytes that they replace are lost, and all bytes after them are shifted. The file cannot be repaired.',
      advice: 'Copy or download the file again as binary, without text mode, filters or character conversion.',
    }),
  }),
  'file-not-its-format': defineFinding({
    severity: 'error',
    example: { detail: 'neither a zip nor a pickle' },
    words: ({ detail }) => ({
      message: `Content does not match the file name: ${detail}.`,
      effect: 'The contents are unknown; the bytes are counted as unexplained.',
      advice: 'Check the first bytes, or the program that wrote the file.',
    }),
  }),
  'name-of-another-format': defineFinding({
    severity: 'warning',
    example: { promised: 'safetensors', found: 'gguf' },
    words: ({ promised, found }) => ({
      message: `The file name means ${promised}, the content is ${found}.`,
      effect: 'Loaders that go by the name fail. This report is of the content.',
      advice: 'Give the file the name of its format.',
    }),
  }),
  'safetensors-under-another-name': defineFinding({
    severity: 'error',
    example: { promised: 'torch' },
    words: ({ promised }) => ({
      message: `The file name means ${promised}, the content is safetensors.`,
      effect: 'Loaders that go by the name unpickle it, and fail. This report is of the content.',
      advice: 'Give the file the extension .safetensors, and its name in the index if it has one.',
    }),
  }),
  'pickle-under-another-name': defineFinding({
    severity: 'error',
    example: { promised: 'safetensors', found: 'torch-zip' },
    words: ({ promised, found }) => ({
      message: `The file name means ${promised}, the content is a pickle (${found}).`,
      effect: 'Loaders that go by the name fail. Loaders that go by the content unpickle it, which can run code.',
      advice: 'Check where the file comes from. Load it with weights_only=True, and save it as what its name means.',
    }),
  }),
  'pickle-followed-by-bytes': defineFinding({
    severity: 'warning',
    example: { bytes: 512 },
    words: ({ bytes }) => ({
      message: `${formatBytes(bytes)} behind the end of the pickle.`,
      effect: 'Loaders ignore them. They are counted as unexplained.',
      advice: 'Check for two writers to the same file, or a download that was resumed incorrectly.',
    }),
  }),
  'torch-tar-file': defineFinding({
    severity: 'warning',
    example: { bytes: 178_246_656 },
    words: ({ bytes }) => ({
      message: 'A tar that torch.save wrote before torch 0.2: its tensors are not listed.',
      effect: `The ${formatBytes(bytes)} of its storages are counted as unexplained.`,
      advice:
        'Convert it where you trust it: torch.save(torch.load(path, weights_only=False), path) runs the code that its pickle names.',
    }),
  }),
  'binary-not-recognised': defineFinding({
    severity: 'note',
    example: null,
    words: () => ({
      message: 'Binary file of an unknown format: neither a zip nor a pickle.',
      effect: 'The contents are unknown; the bytes are counted as unexplained.',
      advice: 'No action needed: many programs name their own files .bin.',
    }),
  }),
  'header-too-large': defineFinding({
    severity: 'error',
    example: { detail: 'the header is 120,000,000 bytes' },
    words: ({ detail }) => ({
      message: `Larger than what is read: ${detail}.`,
      effect: 'What this file holds is not listed.',
      advice:
        'Other readers may reject the file as well: check the program that wrote it. A checkpoint of so many tensors is better saved in more shards.',
    }),
  }),
  'header-corrupt': defineFinding({
    severity: 'error',
    example: { detail: 'the header is not UTF-8' },
    words: ({ detail }) => ({
      message: `Header corrupt: ${detail}.`,
      effect: loadFails,
      advice: saveAgain,
    }),
  }),
  'json-corrupt': defineFinding({
    severity: 'error',
    example: { detail: 'expected a comma' },
    words: ({ detail }) => ({
      message: `Invalid JSON: ${detail}.`,
      effect: 'The contents of the file are not used.',
      advice: saveAgain,
    }),
  }),
  'json-too-large': defineFinding({
    severity: 'warning',
    example: { detail: '100,000,651 bytes of JSON' },
    words: ({ detail }) => ({
      message: `Larger than what is read: ${detail}.`,
      effect:
        'What this file sets is not known here, nor whether the checkpoint loads with it. Other programs read files of any size.',
      advice: 'Check the program that wrote it: files of settings have some thousand bytes.',
    }),
  }),
  'json-no-object': defineFinding({
    severity: 'error',
    example: { found: 'a list', of: 'the tokenizer' },
    words: ({ found, of }) => ({
      message: `The JSON has ${found} where an object is expected.`,
      effect: `Loading ${of} fails.`,
      advice: saveAgain,
    }),
  }),
  'json-byte-order-mark': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'A byte-order mark is in front of the JSON.',
      effect: 'Python’s json refuses a text with it: loaders that open the file as UTF-8 fail.',
      advice: 'Save the file as UTF-8 without a byte-order mark.',
    }),
  }),
  'unsupported-version': defineFinding({
    severity: 'warning',
    example: { detail: 'superblock version 4' },
    words: ({ detail }) => ({
      message: `Not supported: ${detail}.`,
      effect: 'The bytes are counted, the contents are not listed.',
      advice: 'Update Stowage: a newer version may support it.',
    }),
  }),
  'link-outside': defineFinding({
    severity: 'note',
    example: { files: 4, target: 'model.safetensors → ../../blobs/0f2c' },
    words: ({ files, target }) => ({
      message: `${counted(files, 'link')} to files outside this directory: ${target}.`,
      effect: 'The bytes of the target files are counted here.',
      advice: 'No action needed: the Hugging Face cache uses such links.',
    }),
  }),
  'hard-link': defineFinding({
    severity: 'note',
    example: { files: 2, first: 'checkpoint-500/model.safetensors', bytes: 988_097_824 },
    words: ({ files, first, bytes }) => ({
      message: `The same file as ${first}${files > 1 ? `; ${counted(files, 'name')} in all are hard links to other files here` : ''}.`,
      effect: `${formatBytes(bytes)} are in the total and take no space of their own on the disk.`,
      advice: 'Removing one of the names frees nothing as long as another is there.',
    }),
  }),
  'link-not-followed': defineFinding({
    severity: 'note',
    example: { target: '../checkpoint-500' },
    words: ({ target }) => ({
      message: `Link to a directory not followed: ${target}.`,
      effect: 'Files in the target are not part of this report.',
      advice: 'Inspect the target directory.',
    }),
  }),
  'link-within': defineFinding({
    severity: 'note',
    example: { target: 'checkpoint-500' },
    words: ({ target }) => ({
      message: `Link to a directory of this report: ${target}.`,
      effect: 'Files in the target are counted once, where they are.',
      advice: 'No action needed.',
    }),
  }),
  'listing-incomplete': defineFinding({
    severity: 'error',
    example: { detail: 'EACCES: permission denied' },
    words: ({ detail }) => ({
      message: `Listing incomplete: ${detail}.`,
      effect: 'Files that were not listed are not counted.',
      advice: 'Check permissions, or inspect a smaller directory.',
    }),
  }),
  'parts-not-read': defineFinding({
    severity: 'warning',
    example: { parts: 20, read: 500 },
    words: ({ parts, read }) => ({
      message: `${counted(parts, 'part')} not read: the first ${formatCount(read)} were.`,
      effect: 'Errors and code in the others are not reported. Their bytes are counted as other files.',
      advice: 'Inspect a smaller directory.',
    }),
  }),
  'nothing-here': defineFinding({
    severity: 'note',
    example: null,
    words: () => ({
      message: 'No files found.',
      effect: 'There are no bytes to count.',
      advice: 'If a save is running, inspect again when it has finished.',
    }),
  }),
  'checkpoint-archived': defineFinding({
    severity: 'note',
    example: { bytes: 16_060_522_496 },
    words: ({ bytes }) => ({
      message: `Archive of a checkpoint (${formatBytes(bytes)}), by the names of its first members.`,
      effect: 'Its tensors are not listed. Trainers do not load from it.',
      advice: 'Unpack it, and inspect the directory.',
    }),
  }),
  'layout-unknown': defineFinding({
    severity: 'note',
    example: { files: 12, seen: 'notes.txt, data.xyz' },
    words: ({ files, seen }) => ({
      message: `Unknown checkpoint layout: ${counted(files, 'file')}, such as ${seen}.`,
      effect: 'Every byte is counted, by file names and first bytes.',
      advice:
        'Inspect the directory that contains the weights (model.safetensors, pytorch_model.bin, *.pt), their index or trainer_state.json.',
    }),
  }),
  'internal-error': defineFinding({
    severity: 'error',
    example: { detail: 'RangeError: Invalid array length' },
    words: ({ detail }) => ({
      message: `Internal error while reading this file: ${detail}.`,
      effect: 'Its bytes are counted. The other files are not affected.',
      advice: 'Report this issue, with the first bytes of the file if possible.',
    }),
  }),
};

/** The size that a file has, beside the one that it is declared to have. */
interface DeclaredSize {
  expectedBytes: number;
  bytes: number;
  /** What declares it; the file's own header where absent. */
  declaredBy?: 'index' | 'manifest' | 'model' | 'database';
}

function sizesInWords({ expectedBytes, bytes, declaredBy }: DeclaredSize): string {
  const [expected, found] = formatDifferentBytes(expectedBytes, bytes);
  return `${declaredBy ?? 'header'} declares ${expected}, file has ${found}`;
}
