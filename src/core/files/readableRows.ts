/** Generated from the descriptors of the formats by `npm run generate`. */
import type { ReadableFiles } from './namePattern.js';

/** Plain text and tables are left out: folders of them can be inspected, but every project has such files. */
export const readableFiles: readonly ReadableFiles[] = [
  { kind: 'checkpoint', extensions: ['safetensors'], isOwn: true },
  { kind: 'checkpoint', extensions: ['pt', 'pth', 'pth.tar', 'pt2', 'ckpt'], isOwn: true },
  { kind: 'checkpoint', extensions: ['bin', 'pkl', 'pickle', 'th'], isOwn: false },
  { kind: 'checkpoint', extensions: ['npy'], isOwn: false },
  { kind: 'checkpoint', extensions: ['npz'], isOwn: false },
  { kind: 'checkpoint', extensions: ['h5', 'hdf5'], isOwn: false },
  { kind: 'checkpoint', extensions: ['keras'], isOwn: false },
  { kind: 'checkpoint', extensions: ['nemo'], isOwn: true },
  { kind: 'checkpoint', extensions: ['gguf'], isOwn: true },
  { kind: 'checkpoint', extensions: ['ggml'], isOwn: true },
  { kind: 'checkpoint', extensions: ['msgpack'], isOwn: true },
  { kind: 'checkpoint', extensions: ['distcp'], isOwn: true, isPartOfFolder: true },
  { kind: 'checkpoint', extensions: ['onnx'], isOwn: false },
  { kind: 'checkpoint', extensions: ['safetensors.index.json', 'bin.index.json'], isOwn: false },
  { kind: 'dataset', extensions: ['idx'], isOwn: false },
  { kind: 'dataset', extensions: ['mds'], compressions: ['gz', 'zstd'], isOwn: true },
  { kind: 'dataset', extensions: ['ds'], isOwn: false },
  { kind: 'dataset', extensions: ['arrow', 'arrows', 'ipc', 'feather'], isOwn: false },
  { kind: 'dataset', extensions: ['tar'], compressions: ['gz', 'zst'], isOwn: false },
  { kind: 'dataset', extensions: ['tgz'], isOwn: false },
  { kind: 'dataset', extensions: ['parquet', 'parq', 'pq'], isOwn: false },
  { kind: 'dataset', extensions: ['array_record', 'arrayrecord'], isNumbered: true, isOwn: true },
  { kind: 'dataset', extensions: ['tfrecord', 'tfrecords'], compressions: ['gz'], isNumbered: true, isOwn: false },
  {
    kind: 'dataset',
    extensions: ['u8', 'u16', 'u32', 'uint8', 'uint16', 'uint32', 'tok', 'tokens', 'memmap', 'mmap'],
    isOwn: false,
  },
  { kind: 'dataset', extensions: ['jsonl', 'ndjson', 'jsonlines'], compressions: ['gz', 'zst', 'zstd'], isOwn: false },
  { kind: 'dataset', extensions: ['json.gz', 'json.zst', 'json.zstd'], isOwn: false },
];
