/** Which member of a JSON record is the text that training reads. */
import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { jsonValue } from '../../formats/text/jsonValue.js';
import { roleOfColumn } from '../columnRole.js';
import type { JsonOutline } from './jsonOutline.js';

/** Names in the order in which they are taken where a record has several. */
const preferred = ['text', 'content', 'raw_content', 'document', 'body'];
const tokenFields = ['input_ids', 'tokens', 'token_ids'];
/** Lists of messages: each has a text of its own. */
const messageFields = ['messages', 'conversations', 'conversation'];

export type RecordShape =
  | { kind: 'text'; fields: string[] }
  | { kind: 'messages'; field: string }
  | { kind: 'tokens'; field: string }
  /** No member is known: the record as it stands. */
  | { kind: 'whole' };

/** What the first records are. */
export function shapeOfRecords(records: readonly unknown[]): RecordShape {
  const objects = records.filter((record) => typeof record === 'object' && record !== null);
  const has = (field: string, is: (value: unknown) => boolean): boolean =>
    objects.length > 0 && objects.every((record) => is(memberOf(record, field)));
  const tokens = tokenFields.find((field) => has(field, isIds));
  if (tokens !== undefined) return { kind: 'tokens', field: tokens };
  const text = preferred.find((field) => has(field, isText));
  if (text !== undefined) return { kind: 'text', fields: [text] };
  const messages = messageFields.find((field) => has(field, Array.isArray));
  if (messages !== undefined) return { kind: 'messages', field: messages };
  const names = Object.keys(objects[0] ?? {}).filter((name) => has(name, isText));
  const known = names.filter((name) => roleOfColumn(name, 'text') === 'text');
  if (known.length > 0) return { kind: 'text', fields: known };
  const longest = longestOf(objects, names);
  return longest === undefined ? { kind: 'whole' } : { kind: 'text', fields: [longest] };
}

/** True where a member in the beginning of a record, or of one in a list, is text, messages or tokens by its name and its kind of value. */
export function beginsRecord({ elements }: JsonOutline): boolean {
  return elements.some((members) => members.some(({ name, value }) => isRecordMember(name, value)));
}

/** True where a member of a record itself is text, messages or tokens by its name and its kind of value. */
export function isKnownRecord(record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false;
  return Object.entries(record).some(([name, value]) => isRecordMember(name, beginningOf(value)));
}

/** As much of a value as tells its kind. */
function beginningOf(value: unknown): string {
  if (typeof value === 'string') return '"';
  return Array.isArray(value) ? jsonTextOf(value.slice(0, 1)) : '';
}

function isRecordMember(name: string, value: string): boolean {
  if (tokenFields.includes(name)) return /^\[\s*-?\d/.test(value);
  if (messageFields.includes(name)) return /^\[\s*[{"]/.test(value);
  // A prompt or a completion may be a list of messages as well.
  return roleOfColumn(name, 'text') === 'text' && /^("|\[\s*\{\s*"(role|from|content|value|type|text)")/.test(value);
}

/**
 * True for the beginning of a list of objects that are the rows of one table, where no name of a member shows what they are: all with
 * the same members or without any nesting, and with prose, or of numbers alone. Objects that each have other members, and
 * lists of names and options, are the data of a program: operators, test cases, settings.
 */
export function beginsRows({ elements, whole, isList, isFlat, hasProse, hasText }: JsonOutline): boolean {
  if (!isList || elements.length < 2) return false;
  const [first, ...others] = elements.slice(0, Math.max(1, whole)).map(namesOf);
  const isUniform = others.every((names) => names === first);
  return hasText ? hasProse && (isUniform || isFlat) : isUniform;
}

function namesOf(members: readonly { name: string }[]): string {
  return JSON.stringify(members.map(({ name }) => name).sort());
}

/** The texts of a record. */
export function textsOfRecord(record: unknown, shape: RecordShape): string[] {
  switch (shape.kind) {
    case 'text':
      return shape.fields.map((field) => memberOf(record, field)).filter((value) => typeof value === 'string');
    case 'messages':
      return messagesOf(memberOf(record, shape.field));
    case 'tokens':
      return [];
    case 'whole':
      return [typeof record === 'string' ? record : jsonTextOf(record)];
  }
}

/** Tokens that a record holds as numbers. */
export function tokensOfRecord(record: unknown, field: string): number {
  const ids = memberOf(record, field);
  return Array.isArray(ids) ? ids.length : 0;
}

/** `{role, content}` of chat templates, `{from, value}` of ShareGPT; content may come in parts. */
function messagesOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((message) => {
    const content = memberOf(message, 'content') ?? memberOf(message, 'value');
    if (typeof content === 'string') return [content];
    if (!Array.isArray(content)) return [];
    return content.map((part) => memberOf(part, 'text')).filter((text) => typeof text === 'string');
  });
}

/**
 * A line of JSON; undefined where it is none.
 * @throws FormatError `limit-exceeded` for one with more values than `limits` has
 */
export function parseRecord(line: Uint8Array): unknown {
  const text = decodeText(line);
  return parsed(text) ?? (text.includes('NaN') || text.includes('Infinity') ? parsed(withoutPythonNumbers(text)) : undefined);
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    return undefined;
  }
}

/** Python's json writes and reads `NaN`, `Infinity` and `-Infinity`, and so does pyarrow: as nulls here, outside of texts. */
function withoutPythonNumbers(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:NaN|Infinity)/g, (found) => (found.startsWith('"') ? found : 'null'));
}

/** The serializer recurses where the parser does not: a record that nests too deep for it counts as an empty text. */
function jsonTextOf(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((id) => Number.isSafeInteger(id));
}

function longestOf(records: readonly unknown[], names: readonly string[]): string | undefined {
  let longest: string | undefined;
  let most = 0;
  for (const name of names) {
    const length = records.reduce<number>((sum, record) => sum + String(memberOf(record, name)).length, 0);
    if (length > most) [longest, most] = [name, length];
  }
  return longest;
}
