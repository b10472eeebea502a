/** Which member of a JSON record is the text that training reads. */
import { decodeText } from '../../bytes/text.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { roleOfColumn } from '../columnRole.js';

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

/** True where one of the members in the beginning of a record is text, messages or tokens by its name. */
export function beginsRecord(head: string): boolean {
  for (const [, name = ''] of head.matchAll(/"(\w{1,64})"\s*:/g))
    if (tokenFields.includes(name) || messageFields.includes(name) || roleOfColumn(name, 'text') === 'text') return true;
  return false;
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
      return [typeof record === 'string' ? record : JSON.stringify(record)];
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

/** A line of JSON; undefined where it is none. */
export function parseRecord(line: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(line)) as unknown;
  } catch {
    return undefined;
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
