/**
 * Groups of nodes that reach each other: Tarjan's strongly connected components with more than one node
 * (https://doi.org/10.1137/0201010), without recursion.
 * @param {ReadonlyMap<string, Iterable<string>>} graph targets of each node; targets that are no nodes are skipped
 * @returns {string[][]}
 */
export function cyclesOf(graph) {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const lowest = new Map();
  /** @type {string[]} */
  const open = [];
  const isOpen = new Set();
  /** @type {string[][]} */
  const cycles = [];

  /** @param {string} node */
  const enter = (node) => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, targets: [...(graph.get(node) ?? [])].filter((target) => graph.has(target)) };
  };
  /** @param {string} node @param {number | undefined} value */
  const lower = (node, value) => lowest.set(node, Math.min(lowest.get(node) ?? 0, value ?? Infinity));

  for (const start of graph.keys()) {
    if (order.has(start)) continue;
    const path = [enter(start)];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const target = at.targets.pop();
      if (target !== undefined) {
        if (!order.has(target)) path.push(enter(target));
        else if (isOpen.has(target)) lower(at.node, order.get(target));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent.node, lowest.get(at.node));
      if (lowest.get(at.node) !== order.get(at.node)) continue;
      const group = open.splice(open.indexOf(at.node));
      for (const node of group) isOpen.delete(node);
      if (group.length > 1) cycles.push(group);
    }
  }
  return cycles;
}
