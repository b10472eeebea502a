/**
 * The ids of a vocabulary in JSON, as bytes: an object of tokens (`{"the": 5}`: vocab.json, `model.vocab` of BPE, WordPiece and WordLevel in
 * tokenizer.json) or a list whose places are the ids (`[["the", -3.2]]`: `model.vocab` of Unigram; tokenizers/src/models/unigram/serialization.rs).
 * No token becomes a text: a tokenizer of 262,144 has 33 MB of them with its merges.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { byteOrderMark, decodeText } from '../../bytes/text.js';
import { jsonValue } from '../text/jsonValue.js';
import { memberOf } from '../text/jsonMember.js';
import { isTokenId, type AddedToken, type TokenIds } from './tokenIds.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const ZERO = 0x30;

/** What is read of a tokenizer.json. */
export interface ScannedTokenizer {
  vocabulary: TokenIds;
  /** `BPE`, `WordPiece`, `WordLevel` or `Unigram`; undefined where it is not stated. */
  type: string | undefined;
  /** The model has the key of it, whatever is in it. */
  hasVocabulary: boolean;
  added: readonly AddedToken[];
}

/**
 * Scans a tokenizer.json (tokenizers/src/tokenizer/serialization.rs).
 * @throws FormatError `corrupt` where it is no JSON, `unsupported` for JSON that the library refuses: no object, no model or one of a type that it has none of, ids of another type;
 * `limit-exceeded` for more added tokens than are read
 */
export function scanTokenizer(bytes: Uint8Array): ScannedTokenizer {
  const found: ScannedTokenizer = { vocabulary: { tokens: 0, end: 0 }, type: undefined, hasVocabulary: false, added: [] };
  const scan = new JsonScan(bytes);
  let hasModel = false;
  scan.object((key) => {
    if (key === 'added_tokens') found.added = addedTokens(scan.value());
    else if (key === 'model') {
      hasModel = true;
      scan.object((inner) => {
        if (inner === 'vocab') {
          found.vocabulary = scan.vocabulary();
          found.hasVocabulary = true;
        } else if (inner === 'type') found.type = modelType(scan.value());
        else scan.skip();
      });
    } else scan.skip();
  });
  scan.end();
  if (!hasModel) throw new FormatError('unsupported', 'it has no model');
  return found;
}

const modelTypes: ReadonlySet<unknown> = new Set(['BPE', 'WordPiece', 'WordLevel', 'Unigram']);

function modelType(value: unknown): string {
  if (typeof value === 'string' && modelTypes.has(value)) return value;
  throw new FormatError('unsupported', `its model is of none of the types ${[...modelTypes].join(', ')}`);
}

/** Scans a vocab.json. @throws FormatError as `scanTokenizer` */
export function scanVocabulary(bytes: Uint8Array): TokenIds {
  const scan = new JsonScan(bytes);
  const ids = scan.idsByToken();
  scan.end();
  return ids;
}

function addedTokens(value: unknown): AddedToken[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((token): AddedToken[] => {
    const [id, content] = [memberOf(token, 'id'), memberOf(token, 'content')];
    if (typeof id === 'number' && !isVocabularyId(id)) throw refusedId('that of an added token', String(id));
    return isTokenId(id) && typeof content === 'string' ? [{ id, content }] : [];
  });
}

/** `u32` of the library. */
const LARGEST_ID = 0xffff_ffff;

function isVocabularyId(value: unknown): boolean {
  return isTokenId(value) && value <= LARGEST_ID;
}

function refusedId(whose: string, found: string, offset?: number): FormatError {
  const detail = `ids are whole numbers from 0 to 4,294,967,295, and ${whose} is ${found}`;
  return new FormatError('unsupported', detail, offset === undefined ? {} : { offset });
}

/** A cursor over JSON that steps over most of it. Depth is counted, not called. */
class JsonScan {
  private at = 0;

  /** @throws FormatError `corrupt` for a byte-order mark, which neither Python nor the library takes for JSON */
  constructor(private readonly bytes: Uint8Array) {
    if (byteOrderMark(bytes) !== undefined)
      throw new FormatError('corrupt', 'a byte-order mark is in front of it', { offset: 0 });
  }

  /** Calls for each member of an object, whose value has to be taken or skipped. @throws FormatError `unsupported` for another value */
  object(visit: (key: string) => void): void {
    this.openObject();
    while (this.peek() !== CLOSE_BRACE) {
      const start = this.at;
      this.skipString();
      // A key that is looked for has some ten bytes.
      const key = this.at - start > MAX_KEY ? '' : decodeText(this.bytes, start + 1, this.at - 1);
      this.take(COLON);
      visit(key);
      this.separator(CLOSE_BRACE);
    }
    this.at += 1;
  }

  vocabulary(): TokenIds {
    const first = this.peek();
    if (first === OPEN_BRACKET) return this.list();
    if (first === OPEN_BRACE) return this.idsByToken();
    this.skip();
    return { tokens: 0, end: 0 };
  }

  /** @throws FormatError `unsupported` for another value than an object of ids */
  idsByToken(): TokenIds {
    const ids: TokenIds = { tokens: 0, end: 0 };
    this.openObject();
    while (this.peek() !== CLOSE_BRACE) {
      this.skipString();
      this.take(COLON);
      const id = this.id();
      ids.tokens += 1;
      if (id >= ids.end) ids.end = id + 1;
      this.separator(CLOSE_BRACE);
    }
    this.at += 1;
    return ids;
  }

  /** The next value, parsed. @throws FormatError `limit-exceeded` for a text of more than `limits.codeTextBytes` */
  value(): unknown {
    this.peek();
    const start = this.at;
    this.skip();
    if (this.at - start > limits.codeTextBytes)
      throw new FormatError('limit-exceeded', `${this.at - start} bytes of added tokens`, { offset: start });
    try {
      return jsonValue(decodeText(this.bytes, start, this.at));
    } catch (error) {
      if (FormatError.is(error)) throw error;
      throw this.corrupt(start);
    }
  }

  skip(): void {
    const first = this.peek();
    if (first === QUOTE) return this.skipString();
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return this.skipScalar();
    const { bytes } = this;
    for (let depth = 0; this.at < bytes.length;) {
      const byte = bytes[this.at];
      if (byte === QUOTE) {
        this.skipString();
        continue;
      }
      this.at += 1;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && (depth -= 1) === 0) return;
    }
    throw this.corrupt();
  }

  private openObject(): void {
    if (this.peek() !== OPEN_BRACE) {
      const start = this.at;
      const kind = this.kindOfNext();
      throw new FormatError('unsupported', `there is ${kind} where an object is expected`, { offset: start });
    }
    this.at += 1;
  }

  private list(): TokenIds {
    this.at += 1;
    let tokens = 0;
    while (this.peek() !== CLOSE_BRACKET) {
      this.skip();
      tokens += 1;
      this.separator(CLOSE_BRACKET);
    }
    this.at += 1;
    return { tokens, end: tokens };
  }

  private id(): number {
    this.peek();
    const start = this.at;
    let value = 0;
    for (let digit = this.digit(); digit >= 0 && this.at - start < MAX_DIGITS; digit = this.digit()) {
      value = value * 10 + digit;
      this.at += 1;
    }
    if (this.at > start && value <= LARGEST_ID && this.isAtEndOfScalar()) return value;
    this.at = start;
    throw refusedId('one of the vocabulary', this.kindOfNext(), start);
  }

  private digit(): number {
    const digit = (this.bytes[this.at] ?? 0) - ZERO;
    return digit >= 0 && digit <= 9 ? digit : -1;
  }

  /** What the next value is, in words: a number that is short enough to show, or its type. @throws FormatError `corrupt` where it is none */
  private kindOfNext(): string {
    const first = this.peek();
    const start = this.at;
    this.skip();
    if (first === OPEN_BRACE) return 'an object';
    if (first === OPEN_BRACKET) return 'a list';
    if (first === QUOTE) return 'a text';
    const text = this.at - start > MAX_KEY ? '' : decodeText(this.bytes, start, this.at);
    // The one form of numbers and constants in JSON.
    if (!/^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|null|true|false)$/.test(text)) throw this.corrupt(start);
    return text;
  }

  /** @throws FormatError `corrupt` for anything behind the value but white space */
  end(): void {
    for (; this.at < this.bytes.length; this.at++) if ((this.bytes[this.at] as number) > 0x20) throw this.corrupt();
  }

  private isAtEndOfScalar(): boolean {
    const byte = this.bytes[this.at];
    return byte === undefined || isEndOfScalar(byte);
  }

  private skipScalar(): void {
    const start = this.at;
    for (let byte = this.bytes[this.at]; byte !== undefined && !isEndOfScalar(byte); byte = this.bytes[++this.at]);
    if (this.at === start) throw this.corrupt();
  }

  private skipString(): void {
    this.take(QUOTE);
    const { bytes } = this;
    for (let at = this.at; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        this.at = at + 1;
        return;
      }
    }
    throw this.corrupt();
  }

  /** Steps over a comma, or stays in front of the end. */
  private separator(end: number): void {
    const byte = this.peek();
    if (byte === COMMA) {
      this.at += 1;
      if (this.peek() === end) throw this.corrupt();
    } else if (byte !== end) throw this.corrupt();
  }

  private take(expected: number): void {
    if (this.peek() !== expected) throw this.corrupt();
    this.at += 1;
  }

  /** The next byte that is no white space. */
  private peek(): number {
    for (let byte = this.bytes[this.at]; byte !== undefined; byte = this.bytes[++this.at]) if (byte > 0x20) return byte;
    throw this.corrupt();
  }

  private corrupt(offset = this.at): FormatError {
    const isCut = offset >= this.bytes.length;
    return new FormatError('corrupt', isCut ? 'it ends within a value' : `unexpected character at ${offset}`, { offset });
  }
}

function isEndOfScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= 0x20;
}

const MAX_KEY = 64;
/** Ids have six digits; more than 15 are no safe integer. */
const MAX_DIGITS = 15;
