/**
 * Attributes in Jinja templates that its sandbox refuses (jinja2/sandbox.py, is_safe_attribute and is_internal_attribute): those that begin
 * with an underscore, and those of frames and code objects. Templates are split into tokens (jinja2/lexer.py), never rendered.
 */
import { limits } from '../../bytes/limits.js';
import type { FileFinding } from '../../findings/finding.js';
import { boundedEntries } from './configCode.js';
import { memberOf } from '../text/jsonMember.js';

/** Names without an underscore that is_internal_attribute refuses, with those of Python 2. */
const internalNames = new Set([
  ...['mro', 'gi_frame', 'gi_code', 'cr_frame', 'cr_code', 'ag_frame', 'ag_code', 'tb_frame', 'tb_next'],
  ...['f_globals', 'f_builtins', 'f_locals', 'f_code', 'func_globals', 'func_code', 'im_func', 'im_self', 'im_class'],
]);

/** Names that lead from any object to its module or to all classes, wherever a text of the template has them. */
const pathNames =
  /__(?:class|mro|bases?|subclasses|globals|builtins|import|init|dict|getattribute|getattr|code|closure|func|self|call|loader|spec|reduce|reduce_ex|module|new)__/g;

/** What one template reaches for; undefined for an ordinary one. @param template what reports call it */
export function codeOfTemplate(template: string, text: string): FileFinding | undefined {
  const found = forbiddenAttributes(text);
  const [first] = found;
  if (first === undefined) return undefined;
  const names = [...new Set(found.map(({ name }) => name))];
  const attributes = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  return { code: 'template-reaches-internals', offset: 0, facts: { template, attributes, line: lineOf(text, first.at) } };
}

/** Templates of a tokenizer or a processor: one text, texts by name, or a list of `{name, template}`. */
export function codeOfTemplates(root: unknown): FileFinding[] {
  return templatesOf(memberOf(root, 'chat_template')).flatMap(([name, text]) => codeOfTemplate(name, text) ?? []);
}

function templatesOf(value: unknown): [name: string, text: string][] {
  if (typeof value === 'string') return [['chat_template', value]];
  if (typeof value !== 'object' || value === null) return [];
  const named: [unknown, unknown][] = Array.isArray(value)
    ? boundedEntries(value as unknown[]).map((each) => [memberOf(each, 'name'), memberOf(each, 'template')])
    : [...boundedEntries(Object.entries(value))];
  return named.flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[`chat_template ${String(name).slice(0, limits.objectTextLength)}`, text]] : [],
  );
}

interface FoundName {
  name: string;
  /** Place in the text. */
  at: number;
}

function forbiddenAttributes(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const [start, end] of expressionsOf(text)) {
    if (found.length >= limits.objectChildren) break;
    findInExpression(text, start, end, found);
  }
  return found;
}

/** Stretches between `{{` and `}}`, and between `{%` and `%}`. What is not closed runs to the end. */
function expressionsOf(text: string): [start: number, end: number][] {
  const stretches: [number, number][] = [];
  for (let open = text.indexOf('{'); open !== -1;) {
    const kind = text[open + 1];
    const close = kind === '{' ? '}}' : kind === '%' ? '%}' : kind === '#' ? '#}' : undefined;
    if (close === undefined) {
      open = text.indexOf('{', open + 1);
      continue;
    }
    const end = kind === '#' ? placeOf(text, close, open + 2) : endOfExpression(text, close, open + 2);
    if (kind !== '#') stretches.push([open + 2, end]);
    open = text.indexOf('{', end);
  }
  return stretches;
}

/** A closing mark within a string does not close. */
function endOfExpression(text: string, close: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "'") at = endOfString(text, at) - 1;
    else if (character === close[0] && text[at + 1] === close[1]) return at;
  }
  return text.length;
}

function placeOf(text: string, mark: string, start: number): number {
  const at = text.indexOf(mark, start);
  return at === -1 ? text.length : at;
}

/** The place behind the quote that ends the string which begins at `at`. */
function endOfString(text: string, at: number): number {
  const quote = text[at];
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end + 1;
  }
  return text.length;
}

/** Between two strings that a template joins: `'__cla' ~ 'ss__'`, `['__cla', 'ss__'] | join`. */
const joins = new Set(['~', '+', ',', ' ', '\n', '\t', '\r', '(', ')']);

function findInExpression(text: string, start: number, end: number, found: FoundName[]): void {
  let joined = '';
  // What is in front of the next token: `.` and `[` make it an attribute, as `attr(` does.
  let before = '';
  for (let at = start; at < end;) {
    const character = text[at] as string;
    if (character === '"' || character === "'") {
      const behind = Math.min(endOfString(text, at), end);
      const value = unescaped(text.slice(at + 1, behind - 1));
      const isAttribute = before.endsWith('[') ? isDunder(value) : before.endsWith('attr(') && isForbidden(value);
      joined = (joined + value).slice(-MAX_JOINED);
      if (isAttribute) found.push({ name: shown(value), at });
      else for (const [name] of joined.matchAll(pathNames)) found.push({ name, at });
      if (pathNames.test(joined)) joined = '';
      pathNames.lastIndex = 0;
      before = '';
      at = behind;
      continue;
    }
    const word = /^[A-Za-z_]\w*/.exec(text.slice(at, Math.min(end, at + MAX_NAME)))?.[0];
    if (word !== undefined) {
      const isAttribute = before.endsWith('.') && !before.endsWith('..');
      if ((isAttribute && isForbidden(word)) || isDunder(word)) found.push({ name: word, at });
      before = word;
      joined = '';
      at += word.length;
      continue;
    }
    if (!joins.has(character)) joined = '';
    if (character.trim() !== '') before = (before + character).slice(-MAX_NAME);
    at += 1;
  }
}

const MAX_NAME = 128;
const MAX_JOINED = 4_096;

function isForbidden(name: string): boolean {
  return name.startsWith('_') || internalNames.has(name);
}

function isDunder(name: string): boolean {
  return /^__\w+__$/.test(name);
}

/** Escapes of Python's strings, as Jinja takes them. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([0-7]{1,3}))/gi, (_, hex?: string, unicode?: string, octal?: string) =>
    String.fromCharCode(octal === undefined ? Number.parseInt(hex ?? unicode ?? '0', 16) : Number.parseInt(octal, 8)),
  );
}

function shown(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
