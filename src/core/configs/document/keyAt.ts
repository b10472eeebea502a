import type { ConfigMap, ConfigNode, Span } from './configNode.js';

/** The key, or the value of a key, at a place of a config. */
export interface KeyAt {
  path: string[];
  keySpan: Span;
  value: ConfigNode;
}

/** The innermost key whose name or value holds the offset; null between keys. Follows no alias: what it stands for is elsewhere. */
export function keyAt(root: ConfigMap, offset: number): KeyAt | null {
  let found: KeyAt | null = null;
  let node: ConfigNode | undefined = root;
  const path: string[] = [];
  while (node !== undefined) {
    const step = stepInto(node, offset);
    if (step === null) break;
    path.push(step.name);
    // An item of a list has no name of its own: what is asked about is the list's key.
    if (step.keySpan !== null) found = { path: [...path], keySpan: step.keySpan, value: step.value };
    node = step.isKey ? undefined : step.value;
  }
  return found;
}

function stepInto(
  node: ConfigNode,
  offset: number,
): { name: string; keySpan: Span | null; value: ConfigNode; isKey: boolean } | null {
  if (node.kind === 'scalar') return null;
  if (node.kind === 'list') {
    const index = node.items.findIndex(({ span }) => holds(span, offset) && isWithin(span, node.span));
    const item = node.items[index];
    return item === undefined ? null : { name: String(index), keySpan: null, value: item, isKey: false };
  }
  for (const { key, keySpan, value } of node.members.values()) {
    if (holds(keySpan, offset)) return { name: key, keySpan, value, isKey: true };
    if (holds(value.span, offset) && isWithin(value.span, node.span)) return { name: key, keySpan, value, isKey: false };
  }
  return null;
}

function holds({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end && end > start;
}

/** Sections of TOML and flags of scripts lie anywhere in their parent's file; the root's span is the whole file. */
function isWithin(inner: Span, outer: Span): boolean {
  return outer.end === 0 || (inner.start >= outer.start && inner.end <= outer.end) || inner.start >= outer.start;
}
