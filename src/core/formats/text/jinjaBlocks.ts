/**
 * Whether delimiters, brackets, strings and blocks of a Jinja template are closed, as its lexer and parser take them (jinja2/lexer.py: tokeniter;
 * jinja2/parser.py: parse_statement). One pass; nothing is rendered, and expressions are not parsed.
 */

/** What is wrong, and in which line, counted from 1. */
export interface JinjaProblem {
  problem: string;
  line: number;
}

/** Statements with an end, and those that may be between. `generation` marks what the assistant said (transformers/utils/chat_template_utils.py). */
const blocks: Readonly<Record<string, readonly string[]>> = {
  if: ['elif', 'else'],
  for: ['else'],
  ...Object.fromEntries(
    ['macro', 'call', 'filter', 'set', 'block', 'with', 'autoescape', 'generation', 'raw'].map((name) => [name, []]),
  ),
};
const single = new Set(['include', 'import', 'from', 'extends', 'break', 'continue']);
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

interface OpenBlock {
  name: string;
  at: number;
}

/** The first problem of a template; undefined for one whose blocks are in order. */
export function jinjaProblem(text: string): JinjaProblem | undefined {
  const open: OpenBlock[] = [];
  const problemAt = (problem: string, at: number): JinjaProblem => ({ problem, line: lineOf(text, at) });
  for (let at = text.indexOf('{'); at !== -1;) {
    const kind = text[at + 1];
    if (kind === '#') {
      const end = text.indexOf('#}', at + 2);
      if (end === -1) return problemAt('{# is not closed', at);
      at = text.indexOf('{', end + 2);
    } else if (kind === '{' || kind === '%') {
      const scanned = scanExpression(text, at, kind === '{' ? '}}' : '%}');
      if (typeof scanned === 'string') return problemAt(scanned, at);
      const problem = kind === '%' ? takeStatement(text, { at, ...scanned }, open) : undefined;
      if (problem !== undefined) return problemAt(problem, at);
      const raw = open.at(-1);
      const next = raw?.name === 'raw' ? endOfRaw(text, scanned.end) : scanned.end;
      if (next === undefined) return problemAt('{% raw %} is not closed', at);
      if (raw?.name === 'raw') open.pop();
      at = text.indexOf('{', next);
    } else at = text.indexOf('{', at + 1);
  }
  const last = open.at(-1);
  return last === undefined ? undefined : problemAt(`{% ${last.name} %} is not closed`, last.at);
}

interface Expression {
  /** Behind the closing delimiter. */
  end: number;
  /** Whether it assigns outside of any bracket. */
  assigns: boolean;
}

/** What is wrong, or where it ends. Delimiters do not close within strings and brackets. */
function scanExpression(text: string, start: number, close: string): Expression | string {
  const brackets: string[] = [];
  let assigns = false;
  for (let at = start + 2; at < text.length; at++) {
    const character = text[at] as string;
    if (brackets.length === 0 && character === close[0] && text[at + 1] === close[1]) return { end: at + 2, assigns };
    const closer = closers[character];
    if (character === '"' || character === "'") {
      const end = endOfString(text, at);
      if (end === -1) return 'a string is not closed';
      at = end;
    } else if (closer !== undefined) brackets.push(closer);
    else if (character === ')' || character === ']' || character === '}') {
      if (brackets.pop() !== character) return `unexpected ${character}`;
    } else if (character === '=' && brackets.length === 0) {
      if (text[at + 1] === '=') at += 1;
      else if (!comparisons.has(text[at - 1] as string)) assigns = true;
    }
  }
  return `${text.slice(start, start + 2)} is not closed`;
}

/** In front of an equals sign. */
const comparisons = new Set(['!', '<', '>']);

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at;
  }
  return -1;
}

function takeStatement(text: string, { at, end, assigns }: Expression & { at: number }, open: OpenBlock[]): string | undefined {
  const name = nameIn(text, at + 2, end - 2);
  if (name === '') return '{% %} has no name';
  if (name.startsWith('end')) {
    const last = open.pop();
    if (last === undefined) return `unexpected {% ${name} %}`;
    return last.name === name.slice('end'.length) ? undefined : `{% ${name} %} in {% ${last.name} %}`;
  }
  if (Object.hasOwn(blocks, name)) {
    if (name !== 'set' || !assigns) open.push({ name, at });
    return undefined;
  }
  const within = open.at(-1)?.name ?? '';
  if (single.has(name) || (Object.hasOwn(blocks, within) && blocks[within]?.includes(name) === true)) return undefined;
  return `unexpected {% ${name} %}`;
}

/** The first word of a statement, behind `-` or `+`. */
function nameIn(text: string, start: number, end: number): string {
  let from = start;
  if (text[from] === '-' || text[from] === '+') from += 1;
  while (from < end && (text[from] as string).trim() === '') from += 1;
  return /^[A-Za-z_]\w*/.exec(text.slice(from, Math.min(end, from + MAX_NAME)))?.[0] ?? '';
}

const MAX_NAME = 40;

/** Behind `{% endraw %}`; undefined without it. Nothing behind the tag is no error of Jinja's lexer. */
function endOfRaw(text: string, start: number): number | undefined {
  if (start === text.length) return start;
  for (let at = text.indexOf('{%', start); at !== -1; at = text.indexOf('{%', at + 2)) {
    const end = text.indexOf('%}', at + 2);
    if (end === -1) return undefined;
    if (nameIn(text, at + 2, end) === 'endraw') return end + 2;
  }
  return undefined;
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
