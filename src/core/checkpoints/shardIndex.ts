/** Checks a Hugging Face shard index (`model.safetensors.index.json`) against the shards that are there. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { byteOrderMark, encodeText } from '../bytes/text.js';
import { OtherSpellings, spellingOf } from '../files/otherSpellings.js';
import { baseName, isSafeFileName, joinPath, parentPath } from '../files/paths.js';
import { JsonScanner } from '../formats/text/jsonScanner.js';
import type { FileFinding } from '../findings/finding.js';
import type { NameIndex } from '../tensors/nameIndex.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { damagedFiles } from './damagedFiles.js';
import type { Parts } from './parts.js';
import { respelledFindings } from './respelledFiles.js';

/** What one index says, checked entry by entry while it is scanned: an index of 500,000 tensors never becomes an object. */
interface IndexCheck {
  parts: Parts;
  names: NameIndex;
  scope: number;
  indexPath: string;
  fileNumbers: ReadonlyMap<string, number>;
  /** 1 for each row that the index lists. */
  listed: Uint8Array;
  missingShards: Map<string, number>;
  /** Files that the index names in another case or normal form. */
  spellings: OtherSpellings;
  /** Files of which a reader listed what it found before damage, or nothing. */
  damaged: ReadonlySet<string>;
  /** By shard: how many, and the first few names. */
  missingTensors: Map<string, { count: number; names: string[] }>;
  totalSize: number | undefined;
}

/** Scans one index and adds its findings. `scope` is the number of the index's directory in `names`. */
export function checkShardIndex(
  parts: Parts,
  names: NameIndex,
  scope: number,
  indexPath: string,
  bytes: Uint8Array,
  fileNumbers: ReadonlyMap<string, number>,
): void {
  const check: IndexCheck = {
    parts,
    names,
    scope,
    indexPath,
    fileNumbers,
    listed: new Uint8Array(parts.tensors.size),
    missingShards: new Map(),
    spellings: new OtherSpellings(() => fileNumbers.keys()),
    damaged: damagedFiles(parts),
    missingTensors: new Map(),
    totalSize: undefined,
  };
  const isMarked = byteOrderMark(bytes) === 'utf-8';
  if (isMarked) add(check, { code: 'json-byte-order-mark', offset: 0 });
  try {
    scan(check, isMarked ? bytes.subarray(3) : bytes);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    add(check, {
      code: error.code === 'limit-exceeded' ? 'header-too-large' : 'json-corrupt',
      ...(error.offset === undefined ? {} : { offset: error.offset }),
      facts: { detail: error.detail },
    });
    reportRespelled(check);
    if (error.code === 'limit-exceeded') reportMissing(check);
    return;
  }
  reportRespelled(check);
  reportMissing(check);
  reportUnlisted(check);
}

function add(check: IndexCheck, finding: FileFinding): void {
  check.parts.findings.push({ ...finding, path: check.indexPath });
}

function scan(check: IndexCheck, bytes: Uint8Array): void {
  const json = new JsonScanner(bytes);
  json.eachMember(() => {
    const key = json.stringText();
    if (key === 'weight_map') scanWeightMap(check, json, bytes);
    else if (key === 'metadata') check.totalSize = scanTotalSize(json, bytes);
    else json.skipValue();
  });
  json.expectEnd();
}

function scanTotalSize(json: JsonScanner, bytes: Uint8Array): number | undefined {
  let total: number | undefined;
  json.eachMember(() => {
    const isTotal = json.stringText() === 'total_size';
    const start = json.position;
    json.skipValue();
    // Old exports wrote a float.
    if (isTotal) total = Number(new TextDecoder().decode(bytes.subarray(start, json.position)));
  });
  return Number.isFinite(total) ? total : undefined;
}

function scanWeightMap(check: IndexCheck, json: JsonScanner, bytes: Uint8Array): void {
  const { tensors } = check.parts;
  const names = tensors.nameView;
  const text = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let shard: Shard | undefined;
  let shardStart = 0;
  let shardEnd = 0;
  let guess = 0;
  json.eachEntry(() => {
    // An index lists tensors in the order of their shards, as a rule: compare with the row behind the last one before scanning.
    const isGuessed = guess < tensors.size && json.skipString(names, tensors.nameStartOf(guess), tensors.nameEndOf(guess));
    if (!isGuessed) json.scanString();
    const { stringStart: nameStart, stringEnd: nameEnd, stringEscaped: escaped } = json;
    json.takeColon();
    if (shard === undefined || !json.skipString(text, shardStart, shardEnd)) {
      json.scanString();
      shard = shardOf(check, json.stringText());
      shardStart = json.stringStart;
      shardEnd = json.stringEnd;
    }
    if (isGuessed && fileOf(tensors, guess) === shard.file) {
      check.listed[guess++] = 1;
      return;
    }
    if (isGuessed) {
      noteEntry(
        check,
        shard,
        check.names.find(tensors.nameBytes, tensors.nameStartOf(guess), tensors.nameEndOf(guess), check.scope),
        () => tensors.nameOf(guess),
      );
      return;
    }
    const row = escaped
      ? findEscaped(check, json.textOf(nameStart, nameEnd, true))
      : check.names.find(bytes, nameStart, nameEnd, check.scope);
    guess = noteEntry(check, shard, row, () => json.textOf(nameStart, nameEnd, escaped)) + 1;
  });
}

/** Marks the row of that name that lies in the shard, or notes that it does not; answers the row, or -1. */
function noteEntry(check: IndexCheck, shard: Shard, firstRow: number, name: () => string): number {
  if (firstRow === -1) check.parts.tensors.addAbsent({ name: name(), file: shard.name });
  if (shard.file === undefined) {
    noteMissingShard(check.missingShards, shard.name);
    return -1;
  }
  const row = rowInFile(check, firstRow, shard.file);
  if (row !== -1) check.listed[row] = 1;
  else if (shard.isReadable) noteMissingTensor(check, shard.name, name);
  return row;
}

/** @throws FormatError `limit-exceeded` */
function noteMissingShard(missing: Map<string, number>, name: string): void {
  missing.set(name, (missing.get(name) ?? 0) + 1);
  if (missing.size > limits.missingShards)
    throw new FormatError('limit-exceeded', `the index names more than ${limits.missingShards} files that are not there`);
}

const NAMES_SHOWN = 3;

function noteMissingTensor(check: IndexCheck, shard: string, name: () => string): void {
  const missing = check.missingTensors.get(shard) ?? { count: 0, names: [] };
  check.missingTensors.set(shard, missing);
  missing.count += 1;
  if (missing.names.length < NAMES_SHOWN) missing.names.push(name());
}

interface Shard {
  name: string;
  file: number | undefined;
  /** False for a damaged shard: its tensors are missing for that reason. */
  isReadable: boolean;
}

function shardOf(check: IndexCheck, name: string): Shard {
  if (!isSafeFileName(name)) return { name, file: undefined, isReadable: false };
  const named = joinPath(parentPath(check.indexPath), name);
  const path = check.fileNumbers.has(named) ? named : (check.spellings.find(named) ?? named);
  const file = check.fileNumbers.get(path);
  if (file === undefined) return { name, file, isReadable: false };
  return { name, file, isReadable: !check.damaged.has(path) };
}

function findEscaped(check: IndexCheck, name: string): number {
  const encoded = encodeText(name);
  return check.names.find(encoded, 0, encoded.byteLength, check.scope);
}

/** Of the rows with that name, the one in that file; -1 without one. */
function rowInFile(check: IndexCheck, first: number, file: number): number {
  const { tensors } = check.parts;
  for (let row = first; row !== -1; row = check.names.next(row)) if (fileOf(tensors, row) === file) return row;
  return -1;
}

function fileOf(table: TensorTable, row: number): number {
  const piece = table.firstPieceOf(row);
  return piece < table.endPieceOf(row) ? table.pieceFile(piece) : -1;
}

function reportRespelled(check: IndexCheck): void {
  for (const finding of respelledFindings(check.spellings)) add(check, finding);
}

function reportMissing(check: IndexCheck): void {
  for (const [shard, tensors] of check.missingShards) {
    if (isSafeFileName(shard)) add(check, { code: 'index-shard-missing', facts: { shard, tensors } });
    else add(check, { code: 'index-path-unsafe', facts: { shard } });
  }
  for (const [shard, { count, names }] of check.missingTensors) {
    add(check, { code: 'index-tensor-missing', facts: { shard, tensors: count, tensor: names.join(', ') } });
  }
}

/** Tensors of the shards that the index forgets: loaders that follow the index never see them. */
function reportUnlisted(check: IndexCheck): void {
  const { tensors, files } = check.parts;
  const family = shardFamily(check.indexPath);
  const isShard = files.map(({ path }) => parentPath(path) === parentPath(check.indexPath) && family(baseName(path)));
  const unlisted = new Map<number, number>();
  let bytes = 0;
  for (let row = 0; row < tensors.size; row++) {
    const file = fileOf(tensors, row);
    if (isShard[file] !== true) continue;
    bytes += tensors.bytesOf(row);
    if (check.listed[row] === 0) unlisted.set(file, (unlisted.get(file) ?? 0) + 1);
  }
  for (const [file, count] of unlisted) {
    const shard = files[file]?.path ?? '';
    add(check, { code: 'index-tensor-unlisted', facts: { shard: baseName(shard), tensors: count } });
  }
  const isDamaged = files.some(({ path }, file) => isShard[file] === true && check.damaged.has(path));
  const isWhole = check.missingShards.size === 0 && check.missingTensors.size === 0 && !isDamaged;
  if (isWhole && check.totalSize !== undefined && check.totalSize !== bytes) {
    add(check, { code: 'index-total-size-differs', facts: { expectedBytes: check.totalSize, bytes } });
  }
}

/** Whether a file is a shard of this index: `model.safetensors.index.fp16.json` speaks of `model.fp16-00001-of-00002.safetensors`. */
function shardFamily(indexPath: string): (name: string) => boolean {
  const match = /^(.+)\.(safetensors|bin)\.index(?:\.([\w-]+))?\.json$/s.exec(baseName(indexPath));
  if (match === null) return () => false;
  const [, stem = '', extension = '', variant] = match;
  const start = spellingOf(variant === undefined ? `${stem}-` : `${stem}.${variant}-`);
  return (name) => {
    const spelling = spellingOf(name);
    return spelling.startsWith(start) && spelling.endsWith(`.${extension}`) && /-\d{5}-of-\d{5}\./.test(spelling);
  };
}
