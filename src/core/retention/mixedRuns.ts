/** Checkpoints that one directory has of more than one run: rules that count them together would count what is not one row. */
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import { baseName, parentPath } from '../files/paths.js';
import { detectLayout } from '../frameworks/detectLayout.js';
import type { RunMember } from '../inspection/runs/run.js';
import type { LayoutId } from '../text/frameworkLabels.js';

/** Two names of checkpoints that are called differently and are of different layouts, at least two of each; null where all may be of one run. */
export function namesOfTwoRuns(members: readonly RunMember[]): string | null {
  const groups = new Map<string, { names: string[]; layouts: Set<LayoutId> }>();
  for (const { root, listing } of members) {
    const name = baseName(root);
    if (stepOfName(name) === null) continue;
    const pattern = name.replace(/\d+/g, '#');
    const group = groups.get(pattern) ?? { names: [], layouts: new Set() };
    groups.set(pattern, group);
    group.names.push(name);
    group.layouts.add(detectLayout(listing).id);
  }
  const [first, ...others] = [...groups.values()].filter(({ names }) => names.length > 1);
  const other = others.find(({ layouts }) => [...layouts].every((layout) => first?.layouts.has(layout) === false));
  return first === undefined || other === undefined ? null : `${first.names[0] ?? ''}, ${other.names[0] ?? ''}`;
}

/**
 * A directory in a checkpoint that is called after another step than the checkpoint, as a run in it is; null for most. Bare numbers are parts of arrays there.
 */
export function runWithin({ root, listing }: RunMember): string | null {
  const own = stepOfName(baseName(root));
  for (const { path } of listing.entries)
    for (let at = parentPath(path); at !== ''; at = parentPath(at)) {
      const name = baseName(at);
      const step = /^\d+$/.test(name) ? null : stepOfName(name);
      if (step !== null && own !== null && step !== own) return at;
    }
  return null;
}
