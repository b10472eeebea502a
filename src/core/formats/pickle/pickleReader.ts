/**
 * The arguments of pickle opcodes, read one after the other. Every length is checked against the bytes that are there before
 * anything is made of it. Encodings as in CPython's Lib/pickletools.py.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeLatin1, decodeText } from '../../bytes/text.js';
import type { opcode } from './opcodes.js';
import { PickleBytes, PickleFloat, PickleHugeInteger, type PickleValue } from './pickleValue.js';

const NEWLINE = 0x0a;

export class PickleReader {
  /** Offset of the next byte in `bytes`. */
  position: number;
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    start: number,
  ) {
    this.position = start;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next opcode, or undefined at the end of the bytes. */
  opcode(): opcode | undefined {
    const code = this.bytes[this.position] as opcode | undefined;
    if (code !== undefined) this.position += 1;
    return code;
  }

  take(length: number): number {
    const start = this.position;
    if (length > this.bytes.byteLength - start) {
      throw new FormatError('truncated', `an argument of ${length} bytes goes past the end`, { offset: start });
    }
    this.position = start + length;
    return start;
  }

  uint8(): number {
    return this.bytes[this.take(1)] as number;
  }

  uint16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  uint32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  int32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  signedLength(): number {
    const length = this.int32();
    if (length < 0) throw this.corrupt('a negative length');
    return length;
  }

  length64(): number {
    const length = this.view.getBigUint64(this.take(8), true);
    // Anything beyond the bytes that are left is caught by `take`; a double is exact up to there.
    return length > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(length);
  }

  float64(): PickleFloat {
    return new PickleFloat(this.view.getFloat64(this.take(8), false));
  }

  /** Little-endian two's complement of any width; a number where that is exact. */
  integer(length: number): number | bigint | PickleHugeInteger {
    const start = this.take(length);
    if (length === 0) return 0;
    if (length <= 6) return this.shortInteger(start, length);
    if (length > limits.pickleIntegerBytes) return new PickleHugeInteger(length);
    let hex = '';
    for (let at = start + length - 1; at >= start; at--) hex += (this.bytes[at] as number).toString(16).padStart(2, '0');
    const value = BigInt.asIntN(length * 8, BigInt(`0x${hex}`));
    return narrow(value);
  }

  /** Up to six bytes fit a double: the usual size of offsets in large files. */
  private shortInteger(start: number, length: number): number {
    let value = 0;
    for (let at = start + length - 1; at >= start; at--) value = value * 256 + (this.bytes[at] as number);
    const isNegative = (this.bytes[start + length - 1] as number) >= 0x80;
    return isNegative ? value - 256 ** length : value;
  }

  integerLine(isBoolean: boolean): PickleValue {
    const line = this.line();
    if (isBoolean && line === '01') return true;
    if (isBoolean && line === '00') return false;
    const digits = (line.endsWith('L') ? line.slice(0, -1) : line).trim();
    if (digits.length > limits.pickleIntegerBytes * 2) return new PickleHugeInteger(Math.ceil(digits.length / 2.4));
    const value = parseInteger(digits);
    if (value === undefined) throw this.corrupt('a line that is no integer');
    return narrow(value);
  }

  floatLine(): PickleFloat {
    const line = this.line().trim();
    const named: Record<string, number> = { inf: Infinity, '-inf': -Infinity, nan: NaN };
    const value = Object.hasOwn(named, line) ? (named[line] as number) : Number(line);
    if (line === '' || (Number.isNaN(value) && line !== 'nan')) throw this.corrupt('a line that is no number');
    return new PickleFloat(value);
  }

  memoKey(): number {
    const line = this.line().trim();
    const key = /^\+?\d+(?:_\d+)*$/.test(line) ? Number(line.replaceAll('_', '')) : NaN;
    if (!Number.isSafeInteger(key)) throw this.corrupt('a memo key that is no number');
    return key;
  }

  text(length: number): string {
    const start = this.take(length);
    return decodeText(this.bytes, start, start + length);
  }

  latin1(length: number): string {
    const start = this.take(length);
    return decodeLatin1(this.bytes, start, start + length);
  }

  raw(length: number, mutable: boolean): PickleBytes {
    const start = this.take(length);
    return new PickleBytes(this.bytes.subarray(start, start + length), start, mutable);
  }

  line(decode: typeof decodeText = decodeText): string {
    const end = this.bytes.indexOf(NEWLINE, this.position);
    if (end === -1) throw new FormatError('truncated', 'a line does not end', { offset: this.position });
    const text = decode(this.bytes, this.position, end);
    this.position = end + 1;
    return text;
  }

  /** In Python's raw-unicode-escape, whose other characters are Latin-1. */
  unicodeLine(): string {
    return unescapeUnicode(this.line(decodeLatin1));
  }

  quotedLine(): string {
    const line = this.line();
    const quote = line[0];
    const isQuoted = line.length >= 2 && (quote === "'" || quote === '"') && line.endsWith(quote);
    if (!isQuoted) throw this.corrupt('a string without quotes');
    return unescapePython(line.slice(1, -1));
  }

  corrupt(detail: string): FormatError {
    return new FormatError('corrupt', detail, { offset: this.position });
  }
}

function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** As CPython reads them, with base 0: `12`, `-1_000`, `0x1f`, `0o17`, `0b1`. Undefined for anything else. */
function parseInteger(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[+-]/, '').replaceAll('_', '');
  if (!/^(?:\d+|0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(digits)) return undefined;
  const value = BigInt(digits);
  return isNegative ? -value : value;
}

/** UNICODE's raw-unicode-escape: only \uXXXX and \UXXXXXXXX mean something. */
function unescapeUnicode(line: string): string {
  return line.replace(
    /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
    (whole, short?: string, long?: string) => codePoint(short ?? long ?? '') ?? whole,
  );
}

const simpleEscapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "'",
  '"': '"',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Escapes of a Python 2 string literal, as STRING stores them. */
function unescapePython(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))/g, (whole, hex?: string, octal?: string, simple?: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
    return (simple === undefined ? undefined : simpleEscapes[simple]) ?? whole;
  });
}

function codePoint(hex: string): string | undefined {
  const value = parseInt(hex, 16);
  return value <= 0x10ffff ? String.fromCodePoint(value) : undefined;
}
