/** Files that are not what their name says, for everyday reasons: git-lfs was not run, a download saved an error page, a disk was full. */
import type { ByteSource } from '../bytes/byteSource.js';
import { decodeLatin1, decodeStrictText } from '../bytes/text.js';
import { sizeInLfsPointer } from '../files/lfsPointer.js';
import type { FileFinding } from '../findings/finding.js';

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
  if (await isZeroFilled(source, head, signal))
    return { code: 'file-zero-filled', offset: 0, facts: { bytes: source.sizeBytes } };
  const replacements = await countReplacements(source, head, signal);
  return replacements === 0 ? undefined : { code: 'file-saved-as-text', offset: 0, facts: { replacements } };
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

/** Zeros at both ends: the file was made at its full size, but its data never arrived. */
async function isZeroFilled(source: ByteSource, head: Uint8Array, signal: AbortSignal | undefined): Promise<boolean> {
  if (!isZero(head)) return false;
  if (source.sizeBytes <= HEAD_BYTES) return true;
  return isZero(await source.read(source.sizeBytes - HEAD_BYTES, HEAD_BYTES, signal));
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
