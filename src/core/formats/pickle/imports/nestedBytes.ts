/** Pickles within pickles: bytes that a call hands to what loads them. */
import { type ImportCollector, type NestedBytes } from './importCollector.js';
import { bytesAt, stringAt } from './literalText.js';
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
  return decoded === undefined
    ? undefined
    : { bytes: Uint8Array.from(decoded, (character) => character.charCodeAt(0) & 0xff), offset: text };
}
