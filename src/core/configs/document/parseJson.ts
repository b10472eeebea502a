import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { type ConfigDocument, type ConfigMember, type ConfigNode, type ConfigProblem, emptyMap, mapOf } from './configNode.js';

/** JSON, with comments and trailing commas as editors allow them; half a file gives half a tree. Depth has been checked before. */
export function parseJsonText(text: string): ConfigDocument {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  const problems: ConfigProblem[] = [];
  if (first !== undefined)
    problems.push({
      code: 'syntax',
      span: { start: first.offset, end: first.offset + first.length },
      path: [],
      detail: text.slice(first.offset, first.offset + Math.min(first.length, 40)),
    });
  const root = tree === undefined ? undefined : nodeOf(tree, problems);
  return { syntax: 'json', root: root?.kind === 'map' ? root : emptyMap, problems, programs: [] };
}

function nodeOf(node: Node, problems: ConfigProblem[]): ConfigNode {
  const span = { start: node.offset, end: node.offset + node.length };
  switch (node.type) {
    case 'object':
      return mapOf(span, membersOf(node, problems), problems);
    case 'array':
      return { kind: 'list', span, items: (node.children ?? []).map((child) => nodeOf(child, problems)) };
    default: {
      const value = node.value as string | number | boolean | null | undefined;
      return { kind: 'scalar', span, value: value ?? null, isQuoted: node.type === 'string' };
    }
  }
}

function* membersOf(node: Node, problems: ConfigProblem[]): Generator<ConfigMember> {
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    // `"key":` without a value is what a file looks like while it is written.
    if (key === undefined || value === undefined) continue;
    yield {
      key: String(key.value),
      keySpan: { start: key.offset, end: key.offset + key.length },
      value: nodeOf(value, problems),
    };
  }
}
