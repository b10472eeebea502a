/**
 * OCDBT, the key-value database of TensorStore in which Orbax keeps arrays (tensorstore/kvstore/ocdbt/index.rst): a manifest, a B+tree
 * whose nodes lie in data files, and values inside of the nodes or anywhere in data files. Only the manifest and the nodes of the
 * newest version are read; what older ones left behind stays unread.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { readNode, type NodeLocation, type VisitEntry } from './btreeNode.js';
import { MAX_MANIFEST_BYTES, parseManifest, type Manifest } from './manifest.js';

/** The files of a database, by their paths below its directory. */
export interface OcdbtFiles {
  /** Undefined for a file that is not there. */
  sizeOf(path: string): number | undefined;
  read(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Names of numbered manifests, in any order. */
  numberedManifests: readonly string[];
}

/** What is wrong with a node, or undefined as the error where its file is not there. The rest of the database still counts. */
export type OnDamage = (path: string, error: FormatError | undefined) => void;

export const MANIFEST_NAME = 'manifest.ocdbt';

/**
 * Visits all entries in the order of their keys. A node that cannot be read is handed to `onDamage`, and its entries are left out.
 * @throws FormatError where the manifest cannot be read
 */
export async function readOcdbt(files: OcdbtFiles, visit: VisitEntry, onDamage: OnDamage): Promise<void> {
  const { root } = await readManifest(files);
  if (root === undefined) return;
  const seen = new Set<string>();
  let decodedBytes = 0;
  const open: NodeLocation[] = [{ ...root, keyPrefix: new Uint8Array(0) }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const size = files.sizeOf(node.file.path);
    if (size === undefined) {
      onDamage(node.file.path, undefined);
      continue;
    }
    try {
      checkPlace(node, size, seen);
      const bytes = await files.read(node.file.path, node.offset, node.bytes);
      const room = Math.min(limits.ocdbtNodeBytes, limits.ocdbtDecodedBytes - decodedBytes);
      const { bodyBytes, children } = readNode(bytes, node, room, visit);
      decodedBytes += bodyBytes;
      // The last one pushed is the next to be read.
      for (let index = children.length - 1; index >= 0; index--) open.push(children[index] as NodeLocation);
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      // A parser knows positions in its node; what is shown is the node's place in the file.
      onDamage(node.file.path, new FormatError(error.code, error.detail, { offset: node.offset, cause: error }));
    }
  }
}

/** @throws FormatError for a node outside of its file, and for a second way to the same node, which could go on for ever */
function checkPlace({ file, offset, bytes }: NodeLocation, fileBytes: number, seen: Set<string>): void {
  if (offset + bytes > fileBytes) throw new FormatError('truncated', `a node ends at ${offset + bytes} of ${fileBytes}`);
  if (bytes > limits.ocdbtNodeBytes) throw new FormatError('limit-exceeded', `a node takes ${bytes} bytes`);
  const place = `${offset} ${file.path}`;
  if (seen.has(place)) throw new FormatError('corrupt', 'two nodes have the same child');
  seen.add(place);
}

async function readManifest(files: OcdbtFiles): Promise<Manifest> {
  const manifest = parseManifest(await readWhole(files, MANIFEST_NAME), false);
  if (!manifest.isNumbered) return manifest;
  // 16 digits of hexadecimal: the last by name is the last by number.
  const newest = [...files.numberedManifests].sort().at(-1);
  if (newest === undefined) throw new FormatError('corrupt', 'no numbered manifest of those that this one speaks of is there');
  return parseManifest(await readWhole(files, newest), true);
}

async function readWhole(files: OcdbtFiles, path: string): Promise<Uint8Array> {
  const size = files.sizeOf(path) ?? 0;
  if (size > MAX_MANIFEST_BYTES) throw new FormatError('limit-exceeded', `the manifest takes ${size} bytes`);
  return files.read(path, 0, size);
}
