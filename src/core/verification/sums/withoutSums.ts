/** Why nothing of a file can be verified without a manifest: its format, by its name and first bytes, has no sums. */
import { decodeLatin1 } from '../../bytes/text.js';
import { baseName } from '../../files/paths.js';

interface FormatWithoutSums {
  name: string;
  recognises: (path: string, head: Uint8Array) => boolean;
}

const begins = (text: string) => (_: string, head: Uint8Array) => decodeLatin1(head.subarray(0, text.length)) === text;
const ends = (pattern: RegExp) => (path: string) => pattern.test(path);

const formats: readonly FormatWithoutSums[] = [
  { name: 'safetensors', recognises: ends(/\.safetensors$/i) },
  { name: 'torch.distributed.checkpoint (.metadata)', recognises: (path) => baseName(path) === '.metadata' },
  { name: 'Arrow IPC', recognises: begins('ARROW1') },
  { name: 'Arrow IPC', recognises: ends(/\.(?:arrow|arrows|ipc|feather)$/i) },
  { name: 'NumPy (.npy)', recognises: begins('\x93NUMPY') },
  { name: 'ONNX', recognises: ends(/\.onnx$/i) },
  { name: 'a pickle', recognises: ends(/\.(?:pkl|pickle)$/i) },
  { name: 'MessagePack', recognises: ends(/\.msgpack$/i) },
  { name: 'JSON', recognises: ends(/\.jsonl?$/i) },
];

/** What has sums that are not computed here. */
const notComputed: readonly FormatWithoutSums[] = [
  { name: 'xz', recognises: begins('\xfd7zXZ\0') },
  { name: 'bzip2', recognises: begins('BZh') },
  { name: 'lz4', recognises: begins('\x04\x22\x4d\x18') },
  { name: 'Avro', recognises: begins('Obj\x01') },
  { name: 'ORC', recognises: begins('ORC') },
  { name: 'gzip behind another name', recognises: begins('\x1f\x8b\x08') },
];

/** A sentence without its subject's name: `safetensors has no checksums: …`. */
export function reasonWithoutSums(path: string, head: Uint8Array): string {
  const unknown = notComputed.find(({ recognises }) => recognises(path, head));
  if (unknown !== undefined) return `the sums of ${unknown.name} are not computed: a manifest is needed`;
  const format = formats.find(({ recognises }) => recognises(path, head));
  return format === undefined
    ? 'no checksums of its format are known: a manifest is needed'
    : `${format.name} has no checksums: a manifest is needed`;
}
