/** Which files have a report of their own, by the ends of their names: what menus offer to inspect, and what editors open. */

/** Files whose report is opened the same way. */
export interface ReadableFiles {
  /** What a file that is opened by itself is part of. */
  readonly kind: 'checkpoint' | 'dataset';
  /** True for formats of training alone: no other program opens these files, so their report is shown by default. */
  readonly isOwn: boolean;
  /** Ends of the names without the first dot, in lower case. */
  readonly extensions: readonly string[];
  /** Extensions that writers append where they compress. */
  readonly compressions?: readonly string[];
  /** True where writers number the files of a set behind the extension: `train.tfrecord-00000-of-00008`. */
  readonly isNumbered?: true;
}

/** Plain text and tables (`.txt`, `.csv`, `.json`) are left out: folders of them can be inspected, but every project has such files. */
export const readableFiles: readonly ReadableFiles[] = [
  { kind: 'checkpoint', isOwn: true, extensions: ['safetensors', 'gguf', 'nemo', 'msgpack'] },
  { kind: 'checkpoint', isOwn: false, extensions: ['pt', 'pth', 'bin', 'ckpt', 'pt2', 'th', 'pkl', 'pickle', 'distcp'] },
  { kind: 'checkpoint', isOwn: false, extensions: ['npy', 'npz', 'onnx', 'h5', 'hdf5', 'keras'] },
  { kind: 'checkpoint', isOwn: false, extensions: ['safetensors.index.json', 'bin.index.json'] },
  { kind: 'dataset', isOwn: true, extensions: ['mds'], compressions: ['gz', 'zstd'] },
  { kind: 'dataset', isOwn: true, extensions: ['array_record', 'arrayrecord'], isNumbered: true },
  { kind: 'dataset', isOwn: false, extensions: ['arrow', 'arrows', 'ipc', 'feather', 'parquet', 'parq', 'pq', 'idx', 'ds'] },
  { kind: 'dataset', isOwn: false, extensions: ['tfrecord', 'tfrecords'], compressions: ['gz'], isNumbered: true },
  { kind: 'dataset', isOwn: false, extensions: ['tar'], compressions: ['gz', 'zst'] },
  { kind: 'dataset', isOwn: false, extensions: ['jsonl', 'ndjson', 'jsonlines'], compressions: ['gz', 'zst', 'zstd'] },
  { kind: 'dataset', isOwn: false, extensions: ['tgz', 'json.gz', 'json.zst', 'json.zstd'] },
  { kind: 'dataset', isOwn: false, extensions: ['u16', 'u32', 'uint16', 'uint32', 'tok', 'tokens', 'memmap', 'mmap'] },
];

/** Matches the names of all readable files; without `/`, so that a `when` clause can hold it. */
export const readablePattern = new RegExp(`\\.(${readableFiles.map(patternOf).join('|')})$`, 'i');

/** Globs for the names of these files. */
export function globsOf({ extensions, compressions = [], isNumbered }: ReadableFiles): string[] {
  return extensions.flatMap((extension) => [
    `*.${extension}`,
    ...compressions.map((compression) => `*.${extension}.${compression}`),
    ...(isNumbered === true ? [`*.${extension}-*-of-*`] : []),
  ]);
}

/** Parts of a checkpoint that say nothing without the metadata beside them: their report is that of the folder around them. */
export function isPartOfFolder(name: string): boolean {
  return /\.distcp$/i.test(name);
}

function patternOf({ extensions, compressions, isNumbered }: ReadableFiles): string {
  const names = extensions.map((extension) => extension.replaceAll('.', '\\.')).join('|');
  if (compressions === undefined && isNumbered !== true) return names;
  const ends = [
    ...(compressions === undefined ? [] : [`\\.(${compressions.join('|')})`]),
    ...(isNumbered === true ? ['-\\d+-of-\\d+'] : []),
  ];
  return `(${names})(${ends.join('|')})?`;
}
