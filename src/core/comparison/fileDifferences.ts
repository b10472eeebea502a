/** Which files differ: those of a tokenizer by their bytes, the others by path and size. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import type { FileReport } from '../checkpoints/checkpointReport.js';
import { baseName, parentPath } from '../files/paths.js';
import type { ComparedCheckpoint } from './comparedCheckpoint.js';
import type { FileDifferences, FileState, NotCompared, TokenizerFileDifference } from './comparisonReport.js';

/** @param areMatched false between two layouts, where none is a file of the other: their files have nothing to do with each other */
export function compareFiles(a: readonly FileReport[], b: readonly FileReport[], areMatched: boolean): FileDifferences {
  const found: FileDifferences = {
    areMatched,
    sameSize: 0,
    added: [],
    removed: [],
    resized: [],
    counts: { added: 0, removed: 0, resized: 0 },
  };
  if (!areMatched) return found;
  const [ofA, ofB] = [belowRoot(a), belowRoot(b)];
  const others = new Map(ofB.map(({ path, bytes }) => [path, bytes]));
  const { counts } = found;
  for (const { path, bytes } of ofA) {
    const other = others.get(path);
    if (other === bytes) found.sameSize += 1;
    else if (other === undefined) add(found.removed, { path, bytes }, (counts.removed += 1));
    else add(found.resized, { path, a: bytes, b: other }, (counts.resized += 1));
  }
  const own = new Set(ofA.map(({ path }) => path));
  for (const { path, bytes } of ofB) if (!own.has(path)) add(found.added, { path, bytes }, (counts.added += 1));
  return found;
}

/** Paths from the innermost directory that all are in: a save may be in one that is called after its step. */
function belowRoot(files: readonly FileReport[]): { path: string; bytes: number }[] {
  let root = files[0] === undefined ? '' : parentPath(files[0].path);
  for (const { path } of files) while (root !== '' && !path.startsWith(`${root}/`)) root = parentPath(root);
  return root === '' ? [...files] : files.map(({ path, bytes }) => ({ path: path.slice(root.length + 1), bytes }));
}

/** @param count with it */
function add<Entry>(list: Entry[], entry: Entry, count: number): void {
  if (count <= limits.comparedDifferences) list.push(entry);
}

/** Files of the tokenizers by their names. @throws FormatError `cancelled` */
export async function compareTokenizers(
  a: ComparedCheckpoint,
  b: ComparedCheckpoint,
  notCompared: NotCompared[],
  signal: AbortSignal | undefined,
): Promise<TokenizerFileDifference[]> {
  const [ofA, ofB] = [tokenizerFiles(a), tokenizerFiles(b)];
  const compared: TokenizerFileDifference[] = [];
  for (const name of new Set([...ofA.keys(), ...ofB.keys()])) {
    const [own, other] = [ofA.get(name), ofB.get(name)];
    const sizes = { a: own?.bytes ?? null, b: other?.bytes ?? null };
    let state: FileState = own === undefined ? 'added' : 'removed';
    if (own !== undefined && other !== undefined) {
      const isSame = own.bytes === other.bytes && (await haveSameBytes(a, own, b, other, notCompared, signal));
      state = isSame ? 'same' : 'changed';
    }
    compared.push({ name, state, sizes });
  }
  return compared;
}

function tokenizerFiles({ report }: ComparedCheckpoint): Map<string, FileReport> {
  const files = new Map<string, FileReport>();
  for (const file of report.files) {
    const isOne = (file.components.tokenizer ?? 0) > 0 && files.size < limits.comparedConfigs;
    if (isOne && !files.has(baseName(file.path))) files.set(baseName(file.path), file);
  }
  return files;
}

const blockBytes = 1024 * 1024;

/** Of files of one size. @throws FormatError `cancelled` */
async function haveSameBytes(
  a: ComparedCheckpoint,
  file: FileReport,
  b: ComparedCheckpoint,
  other: FileReport,
  notCompared: NotCompared[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const notRead = (detail: string): boolean => {
    notCompared.push({ what: 'tokenizer', side: null, reason: `${baseName(file.path)} is compared by size alone: ${detail}.` });
    return true;
  };
  if (file.bytes > limits.comparedTokenizerBytes) return notRead('it is too large');
  const sources = [];
  try {
    sources.push(await a.tree.open(file.path, signal), await b.tree.open(other.path, signal));
    for (let offset = 0; offset < file.bytes; offset += blockBytes) {
      const length = Math.min(blockBytes, file.bytes - offset);
      const [own, theirs] = await Promise.all(sources.map((source) => source.read(offset, length, signal)));
      if (own?.some((byte, at) => byte !== theirs?.[at]) === true) return false;
    }
    return true;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return notRead(error.detail);
  } finally {
    for (const source of sources) await source.close();
  }
}
