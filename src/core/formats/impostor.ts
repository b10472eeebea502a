/** Files that are not what their name says, for everyday reasons: git-lfs was not run, a download saved an error page, a disk was full. */
import type { ByteSource } from '../bytes/byteSource.js';
import { decodeLatin1, decodeStrictText } from '../bytes/text.js';
import { sizeInLfsPointer } from '../files/lfsPointer.js';
import type { FileFinding } from '../findings/finding.js';
import { ImpostorError } from '../findings/impostorError.js';

const HEAD_BYTES = 4096;
/** A pointer has three lines (github.com/git-lfs/git-lfs, docs/spec.md): below 200 bytes; 1 KiB is its limit. */
const MAX_POINTER_BYTES = 1024;
/** A character of UTF-8 has at most four bytes. */
const MAX_CUT_BYTES = 3;

/** What stands in place of the data, or undefined when none of the everyday reasons applies. Reads at most 8 KiB. */
export async function findImpostor(source: ByteSource, signal?: AbortSignal): Promise<FileFinding | undefined> {
  if (source.sizeBytes === 0) return { code: 'file-empty', offset: 0 };
  const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), signal);
  const text = decodeLatin1(head, 0, Math.min(head.byteLength, MAX_POINTER_BYTES));
  // Those of the usual size are found before; these have lines of extensions.
  const expectedBytes = source.sizeBytes <= MAX_POINTER_BYTES ? sizeInLfsPointer(text) : undefined;
  if (expectedBytes !== undefined) return { code: 'file-is-lfs-pointer', offset: 0, facts: { expectedBytes } };
  if (/^\s*<(!doctype|html|\?xml)/i.test(text) || /^\s*\{\s*"(error|message)"/.test(text))
    return { code: 'file-is-web-page', offset: 0 };
  const target = source.sizeBytes <= MAX_POINTER_BYTES ? linkTarget(text) : undefined;
  if (target !== undefined) return { code: 'file-is-link-text', offset: 0, facts: { target } };
  if (isZero(head) && isZero(await lastBlock(source, 0, signal)))
    return { code: 'file-zero-filled', offset: 0, facts: { bytes: source.sizeBytes } };
  const replacements = await countReplacements(source, head, signal);
  return replacements === 0 ? undefined : { code: 'file-saved-as-text', offset: 0, facts: { replacements } };
}

/** @throws ImpostorError for a file with something else in place of its data */
export async function refuseImpostor(source: ByteSource, signal?: AbortSignal): Promise<void> {
  const impostor = await findImpostor(source, signal);
  if (impostor !== undefined) throw new ImpostorError(impostor);
}

/**
 * How many characters of a file's ends stand where bytes were that are no UTF-8: a program read the file as text, and wrote it. Binary data
 * are never UTF-8 from one end to the other, and texts have no control characters.
 */
async function countReplacements(source: ByteSource, head: Uint8Array, signal: AbortSignal | undefined): Promise<number> {
  const start = wholeCharacters(head);
  if (start === undefined || !head.some(isControl)) return 0;
  if (source.sizeBytes <= HEAD_BYTES) return replacementsIn(start);
  const end = wholeCharacters(await source.read(source.sizeBytes - HEAD_BYTES, HEAD_BYTES, signal));
  return end === undefined ? 0 : replacementsIn(start) + replacementsIn(end);
}

/** The text of bytes whose first and last character may be cut; undefined where they are no UTF-8. */
function wholeCharacters(bytes: Uint8Array): string | undefined {
  const isContinuation = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let start = 0;
  while (start < MAX_CUT_BYTES && isContinuation(start)) start += 1;
  let end = bytes.byteLength;
  while (end > bytes.byteLength - MAX_CUT_BYTES && isContinuation(end - 1)) end -= 1;
  return decodeStrictText(bytes.subarray(start, (bytes[end - 1] ?? 0) >= 0xc0 ? end - 1 : end));
}

function replacementsIn(text: string): number {
  return text.split('\ufffd').length - 1;
}

/** All but tab, line feed, vertical tab, form feed and carriage return; ESC colours terminals' output. */
function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20);
}

/** The text of a symbolic link that was copied as a file (git does so without core.symlinks; Composer's `.symlink` files look alike). */
function linkTarget(text: string): string | undefined {
  const isPath = /^[\w.=+/@ -]+\.(ckpt|pt|pth|bin|safetensors|gguf|h5|distcp|symlink)\n?$/.test(text);
  return isPath ? text.trim() : undefined;
}

/** A few zeros may be values. */
const MIN_ZERO_BYTES = 64;
const ZERO_BLOCK_BYTES = 1024;

/**
 * The finding for a file of which nothing but zeros follows its header, at both ends of its data: it was made at its full size, and the
 * data never arrived. Undefined for others. Reads at most 2 KiB.
 * @param from where the data begin
 */
export async function findZeros(source: ByteSource, from: number, signal?: AbortSignal): Promise<FileFinding | undefined> {
  const bytes = source.sizeBytes - from;
  if (bytes < MIN_ZERO_BYTES) return undefined;
  if (!isZero(await source.read(from, Math.min(ZERO_BLOCK_BYTES, bytes), signal))) return undefined;
  if (!isZero(await lastBlock(source, Math.max(from, source.sizeBytes - ZERO_BLOCK_BYTES), signal))) return undefined;
  return { code: 'file-zero-filled', offset: from, facts: { bytes: source.sizeBytes } };
}

/**
 * Blocks that are looked at of a file with holes, and those of them that are looked at first. They divide a file into 17 parts: at its
 * halves, thirds and quarters are the headers between equal storages, such as master weights and both moments.
 */
const HOLE_BLOCKS = 18;
const LOWEST_FIRST_BLOCK = 6;
const FIRST_BLOCKS = [17, 11, LOWEST_FIRST_BLOCK];

/** A file of which so much is missing is a hole with a header: no file system compresses data so far. */
const HOLLOW_SHARE = 0.9;

/**
 * The finding for a file that takes much less on the disk than its size, where one stretch reads as zeros that may be what is missing.
 * File systems that compress take less as well: there, padding makes zeros here and there. Undefined for others. Reads at most 18 KiB,
 * 6 KiB of a file that is nearly all missing, and 3 KiB of a file without zeros.
 * @param from where the data begin
 */
export async function findHoles(
  source: ByteSource,
  from: number,
  allocatedBytes: number,
  signal?: AbortSignal,
): Promise<FileFinding | undefined> {
  const bytes = source.sizeBytes - from;
  const missingShare = 1 - allocatedBytes / source.sizeBytes;
  if (bytes < HOLE_BLOCKS * ZERO_BLOCK_BYTES || missingShare < 0.1) return undefined;
  const offsetOf = (block: number): number => from + Math.floor(((bytes - ZERO_BLOCK_BYTES) * block) / (HOLE_BLOCKS - 1));
  const isZeroAt = async (block: number): Promise<boolean> =>
    isZero(await source.read(offsetOf(block), ZERO_BLOCK_BYTES, signal));
  const isKnown = new Map<number, boolean>();
  for (const block of FIRST_BLOCKS) isKnown.set(block, await isZeroAt(block));
  const firstZeros = [...isKnown.values()].filter((zero) => zero).length;
  if (firstZeros === 0) return undefined;
  const isEmpty = isHollow(source.sizeBytes, allocatedBytes) && firstZeros === FIRST_BLOCKS.length;
  const first = isEmpty ? await beginOfHole(isZeroAt) : await onlyStretch(isZeroAt, isKnown, missingShare);
  return first === undefined
    ? undefined
    : { code: 'file-zero-filled', offset: offsetOf(first), facts: { bytes: source.sizeBytes } };
}

/** Holes of fewer bytes are blocks of zeros that git and `cp --sparse` leave out, or what a file system packs into others. */
const MIN_MISSING_BYTES = 65_536;
/** From here on bytes are missing whatever their share; below it what is a hundredth of the file. */
const MANY_MISSING_BYTES = 1_000_000;
const MIN_MISSING_SHARE = 0.01;

/**
 * The finding for a file that takes less on the disk than its size, beyond what rounding to blocks explains; undefined for others, and where
 * the file system does not tell. Nothing is read: a file system that compresses has such files, too.
 */
export function findMissingSpace(sizeBytes: number, allocatedBytes: number): FileFinding | undefined {
  const missingBytes = sizeBytes - allocatedBytes;
  if (allocatedBytes <= 0 || missingBytes < MIN_MISSING_BYTES) return undefined;
  if (missingBytes < MANY_MISSING_BYTES && missingBytes < MIN_MISSING_SHARE * sizeBytes) return undefined;
  return { code: 'file-takes-less-space', facts: { bytes: sizeBytes, missingBytes } };
}

/** Whether nearly all of a file takes no space. */
export function isHollow(sizeBytes: number, allocatedBytes: number): boolean {
  return 1 - allocatedBytes / sizeBytes >= HOLLOW_SHARE;
}

/** The first block of a hole that is known to have all of `FIRST_BLOCKS`, by halves. */
async function beginOfHole(isZeroAt: (block: number) => Promise<boolean>): Promise<number> {
  let low = 0;
  let high = LOWEST_FIRST_BLOCK;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isZeroAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first block of zeros, where all of them lie beside each other and are at least half of what is missing. */
async function onlyStretch(
  isZeroAt: (block: number) => Promise<boolean>,
  isKnown: ReadonlyMap<number, boolean>,
  missingShare: number,
): Promise<number | undefined> {
  const zeros: number[] = [];
  for (let block = 0; block < HOLE_BLOCKS; block++) if (isKnown.get(block) ?? (await isZeroAt(block))) zeros.push(block);
  const [first = 0] = zeros;
  const isOneStretch = (zeros.at(-1) ?? 0) - first + 1 === zeros.length;
  return isOneStretch && zeros.length / HOLE_BLOCKS >= missingShare / 2 ? first : undefined;
}

/** The last bytes of the data that begin at `from`. */
async function lastBlock(source: ByteSource, from: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const bytes = Math.min(HEAD_BYTES, source.sizeBytes - from);
  return source.read(source.sizeBytes - bytes, bytes, signal);
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
