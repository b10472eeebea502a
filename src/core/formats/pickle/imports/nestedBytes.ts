/**
 * Pickles within pickles: bytes that a call hands to what loads them, and bytes that begin as a pickle, which their class may unpickle when it gets
 * them as its state or an argument (CloudpickleWrapper of gymnasium and Stable-Baselines3).
 */
import { isZip } from '../../zip.js';
import { isPickle, mayBeOldPickle } from '../pickleHead.js';
import { type ImportCollector, type NestedBytes } from './importCollector.js';
import { bytesAt, isBytesAt, isStringAt, stringAt } from './literalText.js';
import { ScannedCall, ScannedGroup, ScannedName, unknown, type Scanned } from './scannedValue.js';

/** Functions that unpickle the bytes that they get, and what makes a file of bytes for them. */
const loaderNames = new Set(['_load_from_bytes', 'loads', 'load', 'BytesIO', '_loads', '_load', 'Unpickler', 'read_pickle']);

/** Bytes that are handed to what loads them. */
export function noteNested(bytes: Uint8Array, callee: Scanned, args: Scanned, collector: ImportCollector): void {
  if (!(callee instanceof ScannedName) || !loaderNames.has(callee.name) || !(args instanceof ScannedGroup)) return;
  for (const item of args.items) {
    const found = nestedBytes(bytes, item);
    if (found !== undefined && found.bytes.byteLength > 0) collector.addNested(found);
  }
}

/** True for a bytes literal that may be a pickle, or a file of torch. */
export function isPickledAt(bytes: Uint8Array, offset: number): boolean {
  if (!isBytesAt(bytes, offset)) return false;
  const content = bytesAt(bytes, offset)?.bytes;
  return content !== undefined && mayBePickled(content.subarray(0, HEAD_BYTES));
}

/** Notes a bytes literal that may be a pickle. */
export function notePickled(bytes: Uint8Array, offset: number, collector: ImportCollector): void {
  const literal = isPickledAt(bytes, offset) ? bytesAt(bytes, offset) : undefined;
  if (literal !== undefined) collector.addNested({ bytes: literal.bytes, offset: literal.offset, isGuess: true });
}

/** What makes bytes of a text in protocol 2, where it has no literals of them: `_codecs.encode(text, "latin1")`. */
const makersOfBytes = new Set(['encode', 'bytes', 'bytearray']);

/** Notes bytes that a call makes of a text, and that may be a pickle. */
export function noteEncoded(bytes: Uint8Array, callee: Scanned, args: Scanned, collector: ImportCollector): void {
  if (!(callee instanceof ScannedName) || !makersOfBytes.has(callee.name) || !(args instanceof ScannedGroup)) return;
  const [text] = args.items;
  if (typeof text !== 'number' || text === unknown || !isStringAt(bytes, text)) return;
  if (!mayBePickled(latin1Bytes(stringAt(bytes, text, 2 * HEAD_BYTES) ?? ''))) return;
  collector.addNested({ bytes: latin1Bytes(stringAt(bytes, text, Infinity) ?? ''), offset: text, isGuess: true });
}

const HEAD_BYTES = 512;

function mayBePickled(head: Uint8Array): boolean {
  return isPickle(head) || isZip(head) || (head.byteLength > 2 && mayBeOldPickle(head));
}

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

function nestedBytes(bytes: Uint8Array, item: Scanned): NestedBytes | undefined {
  if (typeof item === 'number' && item !== unknown) {
    const literal = bytesAt(bytes, item);
    return literal === undefined ? undefined : { bytes: literal.bytes, offset: literal.offset };
  }
  const [text] =
    item instanceof ScannedCall &&
    item.callee instanceof ScannedName &&
    item.callee.name === 'encode' &&
    item.args instanceof ScannedGroup
      ? item.args.items
      : [];
  if (typeof text !== 'number' || text === unknown) return undefined;
  const decoded = stringAt(bytes, text, Infinity);
  return decoded === undefined ? undefined : { bytes: latin1Bytes(decoded), offset: text };
}
