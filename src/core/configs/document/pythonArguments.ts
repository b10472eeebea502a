/** Arguments of a call and members of a map in Python text, and what they are. Nothing is run. */
import { limits } from '../../bytes/limits.js';
import type { ConfigNode, ConfigScalar, Span } from './configNode.js';
import { pythonLiteral } from './pythonLiteral.js';

/** What a name was assigned before; undefined where that is not known. */
export type ValueOf = (name: string) => ConfigNode | undefined;

export interface NamedArgument {
  key: string;
  keySpan: Span;
  /** Null where an expression gives it. */
  value: ConfigNode | null;
}

/** `key=value`; null for an argument without a name. @param start where it begins in its file */
export function namedArgument(argument: string, start: number, valueOf: ValueOf): NamedArgument | null {
  const match = /^((?:\s|#[^\n]*\n)*)([A-Za-z_]\w{0,100})\s*=(?!=)/.exec(argument);
  const key = match?.[2];
  if (match === null || key === undefined) return null;
  const keyStart = start + (match[1]?.length ?? 0);
  const lead = match[0].length;
  return {
    key,
    keySpan: { start: keyStart, end: keyStart + key.length },
    value: valueIn(argument.slice(lead), start + lead, valueOf),
  };
}

/** Characters of an expression that are quoted. */
const mostOfExpression = 80;

/** An expression that is not evaluated. @param end where it ends in its file */
export function expression(argument: string, end: number): ConfigScalar {
  const text = argument.trim().replace(/\s+/g, ' ');
  const shown = text.length > mostOfExpression ? `${text.slice(0, mostOfExpression)}…` : text;
  return { kind: 'scalar', span: { start: end - argument.trimStart().length, end }, value: shown, isQuoted: true, isOpen: true };
}

/** What an argument is: a literal, or a name of one. */
export function valueIn(argument: string, offset: number, valueOf: ValueOf): ConfigNode | null {
  const blanks = /^(?:\s|#[^\n]*\n)*/.exec(argument)?.[0].length ?? 0;
  const text = argument.slice(blanks).trimEnd();
  const span = { start: offset + blanks, end: offset + blanks + text.length };
  // A dtype is as good as its name.
  const dtype = /^torch\.(\w{1,40})$/.exec(text)?.[1];
  if (dtype !== undefined) return { kind: 'scalar', span, value: dtype, isQuoted: true };
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$/.test(text) && !['True', 'False', 'None'].includes(text)) return valueOf(text) ?? null;
  const variable = environmentDefault(text, span);
  if (variable !== null) return variable;
  return pythonLiteral(text, offset + blanks, (name) => {
    const node = valueOf(name);
    return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
  });
}

/** What `os.environ.get("STEPS", 100)` and `int(os.getenv("STEPS", "100"))` are where the variable is not set. */
function environmentDefault(text: string, span: Span): ConfigScalar | null {
  const match = /^(?:(int|float|str)\s*\()?\s*os\.(?:environ\.get|getenv)\(\s*["']\w{1,80}["']\s*,([^()]{1,200})\)\s*(\)?)$/.exec(
    text,
  );
  if (match === null || (match[1] === undefined) !== (match[3] === '')) return null;
  const node = pythonLiteral((match[2] ?? '').trim(), span.start, () => undefined);
  if (node?.kind !== 'scalar') return null;
  const isNumber = match[1] === 'int' || match[1] === 'float';
  const value = isNumber && typeof node.value === 'string' && node.value.trim() !== '' ? Number(node.value) : node.value;
  return { kind: 'scalar', span, value, isQuoted: typeof value === 'string', isOwnDefault: true };
}

/** The arguments of a call from behind its bracket to the one that closes it; none of one that is not closed within bounds. */
export function argumentsOf(text: string, from: number): { spans: Span[]; end: number } {
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

export function endOf(text: string, at: number, mark: string, end: number): number {
  const found = text.indexOf(mark, at);
  return found === -1 ? end : found;
}

/** The place of the quotation mark that ends a text. */
export function endOfText(text: string, at: number, end: number): number {
  const quote = text.charAt(at);
  const quotes = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let place = at + quotes.length; place < end; place++) {
    if (text.charAt(place) === '\\') place++;
    else if (text.startsWith(quotes, place)) return place + quotes.length - 1;
    else if (quotes.length === 1 && text.charAt(place) === '\n') return place - 1;
  }
  return end;
}
