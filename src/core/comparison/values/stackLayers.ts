import { TensorLayers } from '../../tensors/tensorLayers.js';
import type { TensorTable } from '../../tensors/tensorTable.js';

/**
 * The layer of each of some tensors. Where a model has several stacks whose layers are numbered alike (a vision tower and a language model, an encoder and a
 * decoder), with what tells its stack: `vision_tower.layers.0`, `language_model.layers.0`.
 * @returns a function of a row; an empty text for what is in no layer
 */
export function stackLayers(table: TensorTable, rows: Iterable<number>): (row: number) => string {
  const layers = new TensorLayers(table);
  const stacks = new Map<string, Set<string>>();
  for (const row of rows) {
    const label = layers.labelOf(row);
    if (label === '') continue;
    const found = stacks.get(wordOf(label)) ?? new Set();
    stacks.set(wordOf(label), found);
    found.add(stackOf(table, row, label));
  }
  const common = new Map([...stacks].map(([word, found]) => [word, found.size > 1 ? commonParts([...found]) : null] as const));
  return (row) => {
    const label = layers.labelOf(row);
    const shared = common.get(wordOf(label));
    if (label === '' || shared === undefined || shared === null) return label;
    return [...stackOf(table, row, label).split('.').slice(shared), label].filter((part) => part !== '').join('.');
  };
}

function wordOf(label: string): string {
  return label.slice(0, label.lastIndexOf('.'));
}

/** What the name has before its layer. */
function stackOf(table: TensorTable, row: number, label: string): string {
  const name = table.extraOf(row)?.parameter ?? table.nameOf(row);
  return name.startsWith(label) ? '' : name.slice(0, Math.max(0, name.indexOf(`.${label}`)));
}

/** How many of their first parts all have. */
function commonParts(stacks: readonly string[]): number {
  const [first = [], ...others] = stacks.map((stack) => stack.split('.'));
  let parts = 0;
  while (parts < first.length && others.every((other) => other[parts] === first[parts])) parts += 1;
  return parts;
}
