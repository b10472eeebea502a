import type { ConfigNode } from '../document/configNode.js';

/** Of a list or a map; what is longer is cut. */
const mostItems = 3;

/** A node in one line, as a config might have it: `[path]`, `{path}`, `{a: 1, …}`. Parts that have parts are not written out. */
export function nodeInWords(node: ConfigNode): string {
  switch (node.kind) {
    case 'scalar':
      return String(node.value);
    case 'list':
      return `[${cut(node.items.slice(0, mostItems).map(partInWords), node.items.length)}]`;
    case 'map': {
      const members = [...node.members.values()].slice(0, mostItems);
      const parts = members.map(({ key, value }) => (isEmpty(value) ? key : `${key}: ${partInWords(value)}`));
      return parts.length === 0 ? '{{…}}' : `{${cut(parts, node.members.size)}}`;
    }
  }
}

/** Whether a map is what a YAML parser makes of `{path}`, one name without a value, or of `{{ path }}`, of which nothing is left. */
export function isBracedName(node: ConfigNode): boolean {
  if (node.kind !== 'map' || node.members.size > 1) return false;
  // A value that is written has a place, as an alias that leads nowhere has.
  return [...node.members.values()].every(({ value }) => isEmpty(value) && value.span.start === value.span.end);
}

function isEmpty(node: ConfigNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function partInWords(node: ConfigNode): string {
  return node.kind === 'scalar' ? String(node.value) : node.kind === 'list' ? '[…]' : '{…}';
}

function cut(parts: readonly string[], all: number): string {
  return [...parts, ...(all > parts.length ? ['…'] : [])].join(', ');
}
