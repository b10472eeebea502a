import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** What a byte inside a string means; one look-up a byte is what makes scanning 24 MB of headers cheap. */
const PLAIN = 0;
const QUOTED = 1;
const ESCAPE = 2;
const NON_ASCII = 3;
const CONTROL = 4;
const END = 5;
const byteKinds = new Uint8Array(256);
byteKinds.fill(CONTROL, 0, 0x20);
byteKinds.fill(NON_ASCII, 0x80);
byteKinds[QUOTE] = QUOTED;
byteKinds[BACKSLASH] = ESCAPE;

/**
 * Reads JSON as bytes, member by member, without making objects or strings of what nobody asked for. Accepts what JSON.parse
 * accepts in the values it is asked for; a value that is skipped is only checked for balance. Not recursive on the input's depth.
 *
 * Used for headers and indexes of hundreds of thousands of entries; small files go through JSON.parse.
 */
export class JsonScanner {
  /** The string scanned last, between its quotes. */
  stringStart = 0;
  stringEnd = 0;
  stringEscaped = false;
  /** Whether any string so far had a byte above 0x7f, and so could be wrong UTF-8. */
  sawNonAscii = false;
  private at = 0;

  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.at;
  }

  corrupt(detail: string): FormatError {
    return new FormatError('corrupt', detail, { offset: this.at });
  }

  /** Calls back for each member of the object that starts here; the key is the current string, the callback reads the value. */
  eachMember(onMember: () => void): void {
    this.eachEntry(() => {
      this.scanString();
      this.takeColon();
      onMember();
    });
  }

  /** Calls back for each number of an array of whole numbers below 2^53. */
  eachUint(onNumber: (value: number) => void): void {
    this.skipSpace();
    this.take(OPEN_BRACKET, 'an array');
    this.skipSpace();
    if (this.bytes[this.at] === CLOSE_BRACKET) {
      this.at += 1;
      return;
    }
    for (;;) {
      this.skipSpace();
      onNumber(this.scanUint());
      this.skipSpace();
      const next = this.bytes[this.at];
      this.at += 1;
      if (next === CLOSE_BRACKET) return;
      if (next !== COMMA) {
        this.at -= 1;
        throw this.corrupt('a comma or the end of the array is missing');
      }
    }
  }

  /** The string that starts here becomes the current string. */
  scanString(): void {
    const { bytes } = this;
    this.take(QUOTE, 'a string');
    const start = this.at;
    const length = bytes.length;
    let at = start;
    let escaped = false;
    for (;;) {
      while (at < length && byteKinds[bytes[at] as number] === PLAIN) at += 1;
      const kind = at < length ? byteKinds[bytes[at] as number] : END;
      if (kind === QUOTED) break;
      if (kind === ESCAPE) {
        escaped = true;
        at += 1;
      } else if (kind === NON_ASCII) {
        this.sawNonAscii = true;
      } else {
        this.at = Math.min(at, length);
        throw this.corrupt(kind === END ? 'a string does not end' : 'a control character in a string');
      }
      at += 1;
    }
    this.stringStart = start;
    this.stringEnd = at;
    this.stringEscaped = escaped;
    this.at = at + 1;
  }

  /**
   * Skips the string that starts here when it is just these bytes; false, and no step further, when it is not. Comparing is
   * cheaper than scanning where a string can be guessed. The bytes hold neither quotes nor backslashes when they were scanned.
   */
  skipString(expected: DataView, start: number, end: number): boolean {
    const { bytes, view } = this;
    const first = this.at + 1;
    const last = first + (end - start);
    // The closing quote first: lengths differ more often than not where a guess is wrong.
    if (last >= bytes.length || bytes[last] !== QUOTE || bytes[first - 1] !== QUOTE) return false;
    let at = first;
    let from = start;
    for (; at + 4 <= last; at += 4, from += 4) if (view.getUint32(at) !== expected.getUint32(from)) return false;
    for (; at < last; at++, from++) if (bytes[at] !== expected.getUint8(from)) return false;
    this.at = last + 1;
    return true;
  }

  /** Skips these very bytes; false, and no step further, when others are here. */
  skipBytes(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    const length = expected.length;
    for (let index = 0; index < length; index++) if (bytes[at + index] !== expected[index]) return false;
    this.at = at + length;
    return true;
  }

  /** The whole number that starts here, or -1, and no step further, when none does. */
  tryUint(): number {
    const { bytes } = this;
    let at = this.at;
    let value = 0;
    for (let digit = (bytes[at] as number) - 0x30; digit >= 0 && digit <= 9; digit = (bytes[at] as number) - 0x30) {
      value = value * 10 + digit;
      at += 1;
    }
    if (at === this.at || value > Number.MAX_SAFE_INTEGER) return -1;
    this.at = at;
    return value;
  }

  /** Goes back to a position that `position` gave. */
  rewind(position: number): void {
    this.at = position;
  }

  /** Calls back for each member that follows an opening brace; the callback reads the key as well. */
  eachEntry(onEntry: () => void): void {
    this.skipSpace();
    this.take(OPEN_BRACE, 'an object');
    this.skipSpace();
    if (this.bytes[this.at] === CLOSE_BRACE) {
      this.at += 1;
      return;
    }
    for (;;) {
      this.skipSpace();
      onEntry();
      this.skipSpace();
      const next = this.bytes[this.at];
      this.at += 1;
      if (next === CLOSE_BRACE) return;
      if (next !== COMMA) {
        this.at -= 1;
        throw this.corrupt('a comma or the end of the object is missing');
      }
    }
  }

  /** The colon between a key and its value, with the space around it. */
  takeColon(): void {
    this.skipSpace();
    this.take(COLON, 'a colon');
    this.skipSpace();
  }

  atString(): boolean {
    return this.bytes[this.at] === QUOTE;
  }

  /** The current string, escapes resolved. */
  stringText(): string {
    return this.textOf(this.stringStart, this.stringEnd, this.stringEscaped);
  }

  /** A string seen before, by its bounds. Throws `corrupt` for an escape that JSON does not have. */
  textOf(start: number, end: number, escaped: boolean): string {
    const raw = decodeText(this.bytes, start, end);
    if (!escaped) return raw;
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      throw new FormatError('corrupt', 'a string has a wrong escape', { offset: start });
    }
  }

  /** Skips one value of any kind. Nesting is counted, not recursed into. */
  skipValue(): void {
    let depth = 0;
    do {
      this.skipSpace();
      const byte = this.bytes[this.at];
      if (byte === undefined) throw this.corrupt('the text ends inside a value');
      if (byte === QUOTE) {
        this.scanString();
        continue;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
      else if (byte !== COMMA && byte !== COLON) {
        this.skipAtom();
        continue;
      } else if (depth === 0) throw this.corrupt('a value is missing');
      this.at += 1;
      if (depth < 0) throw this.corrupt('a bracket too many');
    } while (depth > 0);
  }

  /** Only space may follow. */
  expectEnd(): void {
    this.skipSpace();
    if (this.at < this.bytes.byteLength) throw this.corrupt('text after the end of the object');
  }

  private scanUint(): number {
    const { bytes } = this;
    let value = 0;
    const start = this.at;
    for (let byte = bytes[this.at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[this.at]) {
      value = value * 10 + (byte - 0x30);
      this.at += 1;
    }
    if (this.at === start) throw this.corrupt('a whole number is missing');
    if (value > Number.MAX_SAFE_INTEGER) throw this.corrupt('a number is larger than any file');
    return value;
  }

  private skipAtom(): void {
    const start = this.at;
    for (
      let byte = this.bytes[this.at];
      byte !== undefined && byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && byte > 0x20;
      byte = this.bytes[this.at]
    ) {
      this.at += 1;
    }
    if (this.at === start) throw this.corrupt('a value is missing');
  }

  private skipSpace(): void {
    const { bytes } = this;
    for (let byte = bytes[this.at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[this.at])
      this.at += 1;
  }

  private take(byte: number, what: string): void {
    if (this.bytes[this.at] !== byte) throw this.corrupt(`${what} is missing`);
    this.at += 1;
  }
}
