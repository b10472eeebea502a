import { limits } from '../../bytes/limits.js';
import { readWhole } from '../../bytes/readWhole.js';
import { decodeWrittenText } from '../../bytes/text.js';
import { baseName } from '../../files/paths.js';
import { isGguf, readGguf } from '../../formats/ggml/gguf.js';
import { visibleText } from '../../text/visibleText.js';
import type { HashName } from '../hashes/hash.js';
import type { Region } from '../passSpec.js';
import type { Extent, SumKind } from '../verification.js';
import { TensorPlaces } from './tensorPlaces.js';
import { type ContainerSums, noSums, type SumContext, type SumFormat } from './sumFormat.js';

/**
 * Hashes of tensors that `llama-gguf-hash` wrote beside a file (llama.cpp, examples/gguf-hash), as `FILE.manifest`: lines of an algorithm, a digest, and
 * the file's name, with `:TENSOR` for one tensor. Those of the file are over the data of all tensors in order, without what lies between them.
 */
export const ggufSums: SumFormat = {
  recognises: (_, head) => isGguf(head),
  async read(source, context) {
    const lines = await manifestOf(context);
    if (lines.length === 0) return { ...noSums(), reason: 'GGUF has no checksums: a manifest is needed' };
    const places = new Map<string, Extent>();
    const sink = new TensorPlaces(context.path, context.signal);
    await readGguf(source, sink);
    for (const { keyPath, pieces } of sink.found)
      for (const { offset, bytes } of pieces) places.set(keyPath.join('.'), { offset, length: bytes });
    return sumsOf(lines, places, source.sizeBytes);
  },
};

interface HashLine {
  algorithm: Extract<HashName & SumKind, 'xxh64' | 'sha1' | 'sha256'>;
  digest: string;
  /** Null for all tensors of the file. */
  tensor: string | null;
}

const hashLine = /^(xxh64|sha1|sha256)\s+([0-9a-f]+)\s+(.+)$/;
const digits = { xxh64: 16, sha1: 40, sha256: 64 } as const;

async function manifestOf({ path, openOther, signal }: SumContext): Promise<HashLine[]> {
  const source = await openOther(`${path}.manifest`);
  if (source === undefined) return [];
  try {
    const text = decodeWrittenText(await readWhole(source, limits.manifestBytes, 'hashes', signal));
    return text.split(/\r?\n/).flatMap((line) => lineOf(line, baseName(path)));
  } finally {
    await source.close();
  }
}

/** Names are those that the command was given, with a path before them. */
function lineOf(line: string, file: string): HashLine[] {
  const [, algorithm, digest = '', name = ''] = hashLine.exec(line) ?? [];
  if (algorithm === undefined || digest.length !== digits[algorithm as HashLine['algorithm']]) return [];
  const at = name.lastIndexOf(`${file}:`);
  const isOfFile = baseName(name) === file;
  if (!isOfFile && at === -1) return [];
  return [{ algorithm: algorithm as HashLine['algorithm'], digest, tensor: isOfFile ? null : name.slice(at + file.length + 1) }];
}

function sumsOf(lines: readonly HashLine[], places: ReadonlyMap<string, Extent>, fileBytes: number): ContainerSums {
  const sums = noSums();
  for (const { algorithm, digest, tensor } of lines) {
    if (!sums.by.includes(algorithm)) sums.by.push(algorithm);
    const expected = [digest];
    if (tensor === null) {
      const region = wholeOf(places);
      if (region !== null) sums.regions.push({ ...region, algorithm, expected, what: 'data of all tensors' });
      continue;
    }
    const place = places.get(tensor);
    const what = `tensor ${visibleText(tensor)}`;
    if (place === undefined)
      sums.damage.push({ offset: 0, length: 0, what: `${what}: the manifest lists it, and it is not there` });
    else if (place.offset + place.length > fileBytes)
      sums.damage.push({
        offset: place.offset,
        length: Math.max(0, fileBytes - place.offset),
        what: `${what}: cut off by the end of the file`,
      });
    else sums.regions.push({ ...place, algorithm, expected, what });
  }
  return sums;
}

/** All tensors, which lie in the order of the header where llama.cpp wrote them; null where they do not. */
function wholeOf(places: ReadonlyMap<string, Extent>): Pick<Region, 'offset' | 'length' | 'parts'> | null {
  const parts = [...places.values()];
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return null;
  for (let index = 1; index < parts.length; index++) {
    const [before, next] = [parts[index - 1] as Extent, parts[index] as Extent];
    if (next.offset < before.offset + before.length) return null;
  }
  return { offset: first.offset, length: last.offset + last.length - first.offset, parts };
}
