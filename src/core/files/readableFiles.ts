/** Which files have a report of their own, by the ends of their names: what menus offer to inspect, and what editors open. */

/** Files whose report is opened the same way. */
export interface ReadableFiles {
  /** What a file that is opened by itself is part of. */
  readonly kind: 'checkpoint' | 'dataset';
  /** True for formats of training alone: no other program opens these files, so their report is shown by default. */
  readonly isOwn: boolean;
  /** Ends of the names without the first dot, in lower case. */
  readonly extensions: readonly string[];
  /**
   * What writers put behind the extension: `compressed` for `.jsonl.gz`, `numbered` for `.tfrecord-00000-of-00008`. The extension alone
   * is readable as well, unless `isEndRequired`.
   */
  readonly end?: 'compressed' | 'numbered';
  readonly isEndRequired?: boolean;
}

/** Plain text and tables (`.txt`, `.csv`, `.json`) are left out: folders of them can be inspected, but every project has such files. */
export const readableFiles: readonly ReadableFiles[] = [
  { kind: 'checkpoint', isOwn: true, extensions: ['safetensors', 'gguf', 'nemo', 'msgpack'] },
  { kind: 'checkpoint', isOwn: false, extensions: ['pt', 'pth', 'bin', 'ckpt', 'pt2', 'th', 'pkl', 'pickle', 'distcp'] },
  { kind: 'checkpoint', isOwn: false, extensions: ['npy', 'npz', 'onnx', 'h5', 'hdf5', 'keras'] },
  { kind: 'checkpoint', isOwn: false, extensions: ['safetensors.index.json', 'bin.index.json'] },
  { kind: 'dataset', isOwn: true, extensions: ['mds'], end: 'compressed' },
  { kind: 'dataset', isOwn: true, extensions: ['array_record', 'arrayrecord'], end: 'numbered' },
  { kind: 'dataset', isOwn: false, extensions: ['arrow', 'arrows', 'ipc', 'feather', 'parquet', 'parq', 'pq', 'idx'] },
  { kind: 'dataset', isOwn: false, extensions: ['tfrecord', 'tfrecords'], end: 'numbered' },
  { kind: 'dataset', isOwn: false, extensions: ['ds', 'tar', 'jsonl', 'ndjson', 'jsonlines'], end: 'compressed' },
  { kind: 'dataset', isOwn: false, extensions: ['json', 'tfrecord'], end: 'compressed', isEndRequired: true },
  { kind: 'dataset', isOwn: false, extensions: ['tgz', 'u16', 'u32', 'uint16', 'uint32', 'tok', 'tokens', 'memmap', 'mmap'] },
];

const ends = {
  compressed: { pattern: '\\.(gz|zst|zstd)', globs: ['.gz', '.zst', '.zstd'] },
  numbered: { pattern: '-\\d+-of-\\d+', globs: ['-*-of-*'] },
} as const;

/** Matches the names of all readable files; without `/`, so that a `when` clause can hold it. */
export const readablePattern = new RegExp(`\\.(${readableFiles.map(patternOf).join('|')})$`, 'i');

/** Globs for the names of these files. */
export function globsOf({ extensions, end, isEndRequired }: ReadableFiles): string[] {
  return extensions.flatMap((extension) => [
    ...(isEndRequired === true ? [] : [`*.${extension}`]),
    ...(end === undefined ? [] : ends[end].globs.map((glob) => `*.${extension}${glob}`)),
  ]);
}

/** Parts of a checkpoint that say nothing without the metadata beside them: their report is that of the folder around them. */
export function isPartOfFolder(name: string): boolean {
  return /\.distcp$/i.test(name);
}

function patternOf({ extensions, end, isEndRequired }: ReadableFiles): string {
  const names = extensions.map((extension) => extension.replaceAll('.', '\\.')).join('|');
  if (end === undefined) return names;
  return `(${names})(${ends[end].pattern})${isEndRequired === true ? '' : '?'}`;
}
