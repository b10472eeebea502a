import type { AST } from 'toml-eslint-parser';
import {
  type ConfigDocument,
  type ConfigMember,
  type ConfigNode,
  type ConfigProblem,
  emptyMap,
  mapOf,
  type Span,
} from './configNode.js';

/** Lines that may be left out of one file because they cannot be read: what is being typed, not a file of another syntax. */
const mostBadLines = 20;
/** Each of them has the whole text parsed again, a second for 200,000 characters. */
const mostParsedCharacters = 200_000;

/** TOML 1.0. Where a line cannot be read it is left out and said, and the rest of the file is read. */
export async function parseTomlText(text: string): Promise<ConfigDocument> {
  const { parseTOML } = await import('toml-eslint-parser');
  const problems: ConfigProblem[] = [];
  let readable = text;
  const badLines = Math.min(mostBadLines, Math.floor(mostParsedCharacters / Math.max(1, text.length)));
  for (let bad = 0; bad <= badLines; bad++) {
    try {
      return { syntax: 'toml', root: rootOf(parseTOML(readable), problems), problems, programs: [] };
    } catch (error) {
      const index = (error as { index?: unknown }).index;
      if (typeof index !== 'number') break;
      const line = lineAround(readable, Math.min(index, readable.length - 1));
      const blank = readable.slice(line.start, line.end).trim() === '';
      if (bad === 0)
        problems.push({ code: 'syntax', span: line, path: [], detail: text.slice(line.start, line.end).trim().slice(0, 60) });
      if (blank) break;
      // Spaces in place of the line keep every other position.
      readable = readable.slice(0, line.start) + ' '.repeat(line.end - line.start) + readable.slice(line.end);
    }
  }
  return { syntax: 'toml', root: emptyMap, problems, programs: [] };
}

function lineAround(text: string, offset: number): Span {
  const start = text.lastIndexOf('\n', Math.max(offset - 1, 0)) + 1;
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

/** A table under construction: dotted keys and `[a.b]` headers add to it from several places. */
interface OpenTable {
  span: Span;
  members: Map<string, { keySpan: Span; value: ConfigNode | OpenTable | OpenTable[] }>;
}

function rootOf(program: AST.TOMLProgram, problems: ConfigProblem[]): ConfigNode & { kind: 'map' } {
  const [top] = program.body;
  const root: OpenTable = { span: spanOf(program), members: new Map() };
  for (const child of top.body) {
    if (child.type === 'TOMLKeyValue') {
      setValue(root, child, problems);
      continue;
    }
    const table = tableAt(root, child);
    for (const pair of child.body) setValue(table, pair, problems);
  }
  return closed(root, problems);
}

/** The table of a `[header]`, or a new one at the end of a `[[header]]`. */
function tableAt(root: OpenTable, node: AST.TOMLTable): OpenTable {
  const keys = node.key.keys;
  let table = root;
  for (const [index, key] of keys.entries()) {
    const name = nameOf(key);
    const isLast = index === keys.length - 1;
    const known = table.members.get(name)?.value;
    if (isLast && node.kind === 'array') {
      const added: OpenTable = { span: spanOf(node), members: new Map() };
      if (Array.isArray(known)) known.push(added);
      else table.members.set(name, { keySpan: spanOf(key), value: [added] });
      return added;
    }
    table = subTable(table, key, spanOf(node));
  }
  return table;
}

function subTable(table: OpenTable, key: AST.TOMLBare | AST.TOMLQuoted, span: Span): OpenTable {
  const known = table.members.get(nameOf(key))?.value;
  if (Array.isArray(known)) return known[known.length - 1] ?? { span, members: new Map() };
  if (known !== undefined && !('kind' in known)) return known;
  const added: OpenTable = { span, members: new Map() };
  table.members.set(nameOf(key), { keySpan: spanOf(key), value: added });
  return added;
}

function setValue(table: OpenTable, pair: AST.TOMLKeyValue, problems: ConfigProblem[]): void {
  const keys = pair.key.keys;
  const last = keys[keys.length - 1];
  if (last === undefined) return;
  let target = table;
  for (const key of keys.slice(0, -1)) target = subTable(target, key, spanOf(pair));
  target.members.set(nameOf(last), { keySpan: spanOf(last), value: nodeOf(pair.value, problems) });
}

function nodeOf(node: AST.TOMLContentNode, problems: ConfigProblem[]): ConfigNode {
  const span = spanOf(node);
  switch (node.type) {
    case 'TOMLArray':
      return { kind: 'list', span, items: node.elements.map((element) => nodeOf(element, problems)) };
    case 'TOMLInlineTable': {
      const table: OpenTable = { span, members: new Map() };
      for (const pair of node.body) setValue(table, pair, problems);
      return closed(table, problems);
    }
    case 'TOMLValue': {
      const { value } = node;
      const isKept = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return { kind: 'scalar', span, value: isKept ? value : null, isQuoted: node.kind === 'string' };
    }
  }
}

function closed(table: OpenTable, problems: ConfigProblem[]): ConfigNode & { kind: 'map' } {
  const members: ConfigMember[] = [];
  for (const [key, { keySpan, value }] of table.members) members.push({ key, keySpan, value: closedValue(value, problems) });
  return mapOf(table.span, members, problems);
}

function closedValue(value: ConfigNode | OpenTable | OpenTable[], problems: ConfigProblem[]): ConfigNode {
  if (Array.isArray(value)) {
    const items = value.map((table) => closed(table, problems));
    return { kind: 'list', span: items[0]?.span ?? { start: 0, end: 0 }, items };
  }
  return 'kind' in value ? value : closed(value, problems);
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function spanOf(node: { range: readonly [number, number] }): Span {
  return { start: node.range[0], end: node.range[1] };
}
