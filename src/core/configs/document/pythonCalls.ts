/** Calls in a Python file as text: `TrainingArguments(save_steps=100, bf16=True)`. Nothing is run. */
import { limits } from '../../bytes/limits.js';
import type { ConfigMember, ConfigNode, Span } from './configNode.js';
import { pythonLiteral } from './pythonLiteral.js';

/** What a name was assigned before; undefined where that is not known. */
export type ValueOf = (name: string) => ConfigNode | undefined;

export interface PythonCall {
  name: string;
  /** From its name to behind its closing bracket. */
  span: Span;
  /** The arguments with a name whose values are literals, or names of such. */
  keywords: ConfigMember[];
  /** Names of the others; `**` for those of a map. */
  unread: string[];
  /** The first argument without a name, where it is one of these. */
  first: ConfigNode | null;
}

/** The calls of some functions. @param text as `withoutDocumentation` gives it */
export function pythonCalls(text: string, names: readonly string[], valueOf: ValueOf): PythonCall[] {
  return names.flatMap((name) => placesOf(text, name).map((at) => readCall(text, name, at, valueOf)));
}

/** The text with blanks for comments and texts of three quotation marks: examples in documentation are no calls. All places stay. */
export function withoutDocumentation(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char !== '#' && char !== '"' && char !== "'") continue;
    const isLong = char !== '#' && text.startsWith(char.repeat(3), at);
    const end = char === '#' ? endOf(text, at, '\n', text.length) : Math.min(text.length, endOfText(text, at, text.length) + 1);
    if (char === '#' || isLong) {
      parts.push(text.slice(from, at), text.slice(at, end).replace(/[^\n]/g, ' '));
      from = end;
    }
    at = end - 1;
  }
  return parts.join('') + text.slice(from);
}

/** Where a function is called: behind no letter, and before a bracket; not where it is defined. */
function placesOf(text: string, name: string): number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(name);
    at !== -1 && places.length < limits.callsOfFunction;
    at = text.indexOf(name, at + name.length)
  ) {
    const isWhole = !/\w/.test(text.charAt(at - 1)) && /^[ \t]*\(/.test(text.slice(at + name.length, at + name.length + 20));
    const lead = text.slice(Math.max(0, at - 200), at);
    const line = lead.slice(lead.lastIndexOf('\n') + 1);
    if (isWhole && !/^\s*(?:class|def)\b/.test(line)) places.push(at);
  }
  return places;
}

function readCall(text: string, name: string, at: number, valueOf: ValueOf): PythonCall {
  const keywords: ConfigMember[] = [];
  const unread: string[] = [];
  let first: ConfigNode | null = null;
  let isFirst = true;
  const { spans, end: behind } = argumentsOf(text, text.indexOf('(', at + name.length) + 1);
  for (const { start, end } of spans) {
    const argument = text.slice(start, end);
    const match = /^((?:\s|#[^\n]*\n)*)([A-Za-z_]\w{0,100})\s*=(?!=)/.exec(argument);
    const key = match?.[2];
    const lead = match?.[0].length ?? 0;
    const value = valueIn(argument.slice(lead), start + lead, valueOf);
    if (match !== null && key !== undefined) {
      const keyStart = start + (match[1]?.length ?? 0);
      if (value === null) unread.push(key);
      else keywords.push({ key, keySpan: { start: keyStart, end: keyStart + key.length }, value });
    } else if (argument.trimStart().startsWith('**')) unread.push('**');
    else if (isFirst) first = value;
    isFirst = false;
  }
  return { name, span: { start: at, end: behind }, keywords, unread, first };
}

function valueIn(argument: string, offset: number, valueOf: ValueOf): ConfigNode | null {
  const blanks = /^(?:\s|#[^\n]*\n)*/.exec(argument)?.[0].length ?? 0;
  const text = argument.slice(blanks).trimEnd();
  if (/^[A-Za-z_]\w*$/.test(text) && !['True', 'False', 'None'].includes(text)) return valueOf(text) ?? null;
  // A dtype is as good as its name.
  const dtype = /^torch\.(\w{1,40})$/.exec(text)?.[1];
  const span = { start: offset + blanks, end: offset + blanks + text.length };
  if (dtype !== undefined) return { kind: 'scalar', span, value: dtype, isQuoted: true };
  return pythonLiteral(text, offset + blanks, (name) => {
    const node = valueOf(name);
    return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
  });
}

/** The arguments of a call from behind its bracket to the one that closes it; none of one that is not closed within bounds. */
function argumentsOf(text: string, from: number): { spans: Span[]; end: number } {
  const found: Span[] = [];
  const end = Math.min(text.length, from + limits.callCharacters);
  let depth = 0;
  let start = from;
  for (let at = from; at < end && found.length < limits.callArguments; at++) {
    const char = text.charAt(at);
    if (char === '#') at = endOf(text, at, '\n', end);
    else if (char === '"' || char === "'") at = endOfText(text, at, end);
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) {
      if (depth === 0)
        return { spans: text.slice(start, at).trim() === '' ? found : [...found, { start, end: at }], end: at + 1 };
      depth--;
    } else if (char === ',' && depth === 0) {
      found.push({ start, end: at });
      start = at + 1;
    }
  }
  return { spans: [], end: from };
}

function endOf(text: string, at: number, mark: string, end: number): number {
  const found = text.indexOf(mark, at);
  return found === -1 ? end : found;
}

/** The place of the quotation mark that ends a text. */
function endOfText(text: string, at: number, end: number): number {
  const quote = text.charAt(at);
  const quotes = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let place = at + quotes.length; place < end; place++) {
    if (text.charAt(place) === '\\') place++;
    else if (text.startsWith(quotes, place)) return place + quotes.length - 1;
    else if (quotes.length === 1 && text.charAt(place) === '\n') return place - 1;
  }
  return end;
}
