/** Literals of a pickle as Python would write them, from the offset of their opcode. Everything comes from the file and is bounded. */
import { FormatError } from '../../../bytes/formatError.js';
import { opcode } from '../opcodes.js';
import { PickleReader } from '../pickleReader.js';
import { PickleBytes, PickleFloat, type PickleValue } from '../pickleValue.js';
import { floatText } from '../pickleAccess.js';

/** The text of a string; undefined for any other literal, and for one longer than `maxBytes`. */
export function stringAt(bytes: Uint8Array, offset: number, maxBytes: number): string | undefined {
  const value = valueAt(bytes, offset, maxBytes);
  return typeof value === 'string' ? value : undefined;
}

/** The content of bytes or a bytearray, not copied; undefined for any other literal. */
export function bytesAt(bytes: Uint8Array, offset: number): PickleBytes | undefined {
  const value = bytesOpcodes.has(bytes[offset] as opcode) ? valueAt(bytes, offset, Infinity) : undefined;
  return value instanceof PickleBytes ? value : undefined;
}

/** True where bytes or a bytearray are at the offset. */
export function isBytesAt(bytes: Uint8Array, offset: number): boolean {
  return bytesOpcodes.has(bytes[offset] as opcode);
}

const bytesOpcodes: ReadonlySet<opcode> = new Set([opcode.BINBYTES, opcode.SHORT_BINBYTES, opcode.BINBYTES8, opcode.BYTEARRAY8]);

/** True where a string is at the offset, of whatever protocol; what Python 2 wrote as one may be bytes. */
export function isStringAt(bytes: Uint8Array, offset: number): boolean {
  return stringOpcodes.has(bytes[offset] as opcode);
}

const stringOpcodes: ReadonlySet<opcode> = new Set([
  ...[opcode.SHORT_BINUNICODE, opcode.BINUNICODE, opcode.BINUNICODE8, opcode.UNICODE],
  ...[opcode.STRING, opcode.BINSTRING, opcode.SHORT_BINSTRING],
]);

/** True where an empty list, dict or set is at the offset, to which later opcodes may have added. */
export function isEmptyContainerAt(bytes: Uint8Array, offset: number): boolean {
  const code = bytes[offset] as opcode;
  return code === opcode.EMPTY_LIST || code === opcode.EMPTY_DICT || code === opcode.EMPTY_SET;
}

/** True where a string that begins with two underscores is at the offset, as special methods do. Cheap: no text is made. */
export function isDunderAt(bytes: Uint8Array, offset: number): boolean {
  const code = bytes[offset] as opcode;
  const start =
    code === opcode.SHORT_BINUNICODE || code === opcode.SHORT_BINSTRING
      ? offset + 2
      : code === opcode.BINUNICODE || code === opcode.BINSTRING
        ? offset + 5
        : code === opcode.BINUNICODE8
          ? offset + 9
          : code === opcode.STRING
            ? offset + 2
            : code === opcode.UNICODE
              ? offset + 1
              : -1;
  return start !== -1 && bytes[start] === UNDERSCORE && bytes[start + 1] === UNDERSCORE;
}

const UNDERSCORE = 0x5f;
const MAX_SHOWN_BYTES = 160;

/** The literal as text: `"id"`, `b"\x80\x02"`, `3`, `None`. */
export function literalText(bytes: Uint8Array, offset: number): string {
  const code = bytes[offset] as opcode;
  const empty = emptyContainers[code];
  if (empty !== undefined) return empty;
  const value = valueAt(bytes, offset, MAX_SHOWN_BYTES);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (value instanceof PickleBytes) return `b${quoted(latin1(value.bytes.subarray(0, MAX_SHOWN_BYTES)))}`;
  if (value instanceof PickleFloat) return floatText(value.value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '…';
}

const emptyContainers: Partial<Record<opcode, string>> = {
  [opcode.EMPTY_LIST]: '[]',
  [opcode.EMPTY_DICT]: '{}',
  [opcode.EMPTY_TUPLE]: '()',
  [opcode.EMPTY_SET]: 'set()',
};

/** Undefined for what is no literal, is damaged, or has more than `maxBytes`; a long string is cut. */
function valueAt(bytes: Uint8Array, offset: number, maxBytes: number): PickleValue | undefined {
  const input = new PickleReader(bytes, offset);
  const code = input.opcode();
  try {
    switch (code) {
      case opcode.NONE:
        return null;
      case opcode.NEWTRUE:
        return true;
      case opcode.NEWFALSE:
        return false;
      case opcode.SHORT_BINUNICODE:
        return input.text(Math.min(input.uint8(), maxBytes));
      case opcode.BINUNICODE:
        return input.text(Math.min(input.uint32(), maxBytes));
      case opcode.BINUNICODE8:
        return input.text(Math.min(input.length64(), maxBytes));
      case opcode.SHORT_BINSTRING:
        return input.latin1(Math.min(input.uint8(), maxBytes));
      case opcode.BINSTRING:
        return input.latin1(Math.min(input.signedLength(), maxBytes));
      case opcode.UNICODE:
        return input.unicodeLine().slice(0, maxBytes);
      case opcode.STRING:
        return input.quotedLine().slice(0, maxBytes);
      case opcode.BININT1:
        return input.uint8();
      case opcode.BININT2:
        return input.uint16();
      case opcode.BININT:
        return input.int32();
      case opcode.LONG1:
        return input.integer(input.uint8());
      case opcode.INT:
        return input.integerLine(true);
      case opcode.LONG:
        return input.integerLine(false);
      case opcode.BINFLOAT:
        return input.float64();
      case opcode.FLOAT:
        return input.floatLine();
      case opcode.SHORT_BINBYTES:
        return input.raw(input.uint8(), false);
      case opcode.BINBYTES:
        return input.raw(input.uint32(), false);
      case opcode.BINBYTES8:
        return input.raw(input.length64(), false);
      case opcode.BYTEARRAY8:
        return input.raw(input.length64(), true);
      default:
        return undefined;
    }
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const MAX_SHOWN_CHARACTERS = 120;

/** In double quotes, with escapes for what a terminal or a page would act on. */
function quoted(text: string): string {
  const cut = text.length > MAX_SHOWN_CHARACTERS;
  const shown = cut ? text.slice(0, MAX_SHOWN_CHARACTERS) : text;
  return `"${escaped(shown)}${cut ? '…' : ''}"`;
}

/** Control characters, marks of direction and other invisible characters as escapes. */
export function escaped(text: string): string {
  return text.replace(/["\\\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
}
