import type { ObjectNode, ObjectReport } from '../../src/core/checkpoints/checkpointReport.js';

interface RowPlace {
  /** Position, e.g. `0/3/1`; stable between renderings, and says nothing about the content. */
  id: string;
  level: number;
  position: number;
  siblings: number;
  /** What stands before the value: a key, an index, or the file's path at the root. */
  label: string;
}

/** A visible line of the tree of values. */
export interface ObjectRow extends RowPlace {
  /** Null for the line that stands for children that are not shown. */
  node: ObjectNode | null;
  expandable: boolean;
  expanded: boolean;
  /** On the line that stands for hidden children: how many there are in the report and how many were left out of it. */
  hidden?: { more: number; omitted: number };
}

/** Children that are shown at once; each `more` line shows as many again. */
export const childrenStep = 200;

/**
 * The lines of the tree that are visible now, top to bottom.
 * @param expanded ids of expanded nodes
 * @param limits how many children of a node are shown, where that is more than the usual
 */
export function objectRows(
  objects: ObjectReport[],
  expanded: ReadonlySet<string>,
  limits: ReadonlyMap<string, number>,
): ObjectRow[] {
  const rows: ObjectRow[] = [];
  const add = (node: ObjectNode, place: RowPlace): void => {
    const { id, level } = place;
    const children = node.children ?? [];
    const expandable = children.length > 0;
    const open = expandable && expanded.has(id);
    rows.push({ ...place, node, expandable, expanded: open });
    if (!open) return;
    const shown = children.slice(0, limits.get(id) ?? childrenStep);
    const more = children.length - shown.length;
    const omitted = Math.max(0, (node.count ?? children.length) - children.length);
    const lines = shown.length + (more + omitted > 0 ? 1 : 0);
    shown.forEach((child, index) =>
      add(child, { id: `${id}/${index}`, level: level + 1, position: index + 1, siblings: lines, label: child.key }),
    );
    if (more + omitted === 0) return;
    rows.push(hiddenRow(id, level + 1, lines, { more, omitted }));
  };
  const shown = objects.slice(0, limits.get('') ?? childrenStep);
  const more = objects.length - shown.length;
  const lines = shown.length + (more > 0 ? 1 : 0);
  shown.forEach(({ path, root }, index) =>
    add(root, { id: String(index), level: 1, position: index + 1, siblings: lines, label: path }),
  );
  if (more > 0) rows.push(hiddenRow('', 1, lines, { more, omitted: 0 }));
  return rows;
}

function hiddenRow(parent: string, level: number, position: number, hidden: { more: number; omitted: number }): ObjectRow {
  return {
    id: `${parent}/+`,
    level,
    position,
    siblings: position,
    label: '',
    node: null,
    expandable: false,
    expanded: false,
    hidden,
  };
}

/** The keys that lead to a row, for copying: `args.optimizer.betas[0]` reads like Python. */
export function keyPathOf(objects: ObjectReport[], id: string): string {
  const [first, ...rest] = id.split('/').map(Number);
  let node = objects[first ?? -1]?.root;
  let path = '';
  for (const index of rest) {
    const parent = node;
    node = node?.children?.[index];
    if (node === undefined) break;
    const indexed = parent?.kind === 'list' || parent?.kind === 'tuple' || parent?.kind === 'set';
    path += indexed ? `[${node.key}]` : path === '' ? node.key : `.${node.key}`;
  }
  return path;
}
