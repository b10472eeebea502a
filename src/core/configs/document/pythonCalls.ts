/** Calls in a Python file as text: `TrainingArguments(save_steps=100, bf16=True)`. Nothing is run. */
import { appendAll } from '../../bytes/appendAll.js';
import { limits } from '../../bytes/limits.js';
import type { ConfigMember, ConfigNode, Span } from './configNode.js';
import { argumentsOf, endOf, endOfText, expression, namedArgument, valueIn, type ValueOf } from './pythonArguments.js';
import { keywordMap } from './pythonKeywordMap.js';

export type { ValueOf };

export interface PythonCall {
  name: string;
  /** From its name to behind its closing bracket. */
  span: Span;
  /** The arguments with a name whose values are literals, or names of such. */
  keywords: ConfigMember[];
  /** Names of the others; `**` for those of a map. */
  unread: string[];
  /** The same with what gives them, but for those of a map. */
  open: ConfigMember[];
  /** The first argument without a name, where it is one of these. */
  first: ConfigNode | null;
  /** No other argument is without a name. */
  isAlone: boolean;
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
  const open: ConfigMember[] = [];
  let first: ConfigNode | null = null;
  let isFirst = true;
  let isAlone = true;
  const { spans, end: behind } = argumentsOf(text, text.indexOf('(', at + name.length) + 1);
  for (const { start, end } of spans) {
    const argument = text.slice(start, end);
    const named = namedArgument(argument, start, valueOf);
    if (named !== null) {
      const { key, keySpan, value } = named;
      if (value === null) {
        unread.push(key);
        open.push({ key, keySpan, value: expression(argument.slice(argument.indexOf('=') + 1), end) });
      } else keywords.push({ key, keySpan, value });
    } else if (argument.trimStart().startsWith('**')) {
      const map = keywordMap(text, { start: text.indexOf('**', start) + 2, end }, valueOf);
      appendAll(keywords, map.members);
      appendAll(unread, map.unread);
    } else if (isFirst) first = valueIn(argument, start, valueOf);
    else if (argument.trim() !== '') isAlone = false;
    isFirst = false;
  }
  return { name, span: { start: at, end: behind }, keywords, unread, open, first, isAlone };
}
