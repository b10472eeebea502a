/** Texts of an adapter's config that mean modules of a model, found for a module without a look at each: a file may have 300,000 of them. */
import type { TensorGroup } from '../architectures/tensorGroup.js';

/** A target, how often it met a module, and how it tells. */
export interface Target {
  text: string;
  matches: (module: string, group: TensorGroup) => boolean;
  /** Set where it means the names that end with its text: at a point, or anywhere, also of a module around. */
  end?: 'module' | 'anywhere';
  /** It may mean some layers of a stack and not the others. */
  hasIndex: boolean;
  uses: number;
}

interface Placed {
  target: Target;
  order: number;
}

/** Targets in the order of the config. */
export class ModuleTargets {
  readonly hasIndex: boolean;
  private readonly modules = new Map<string, Placed>();
  private readonly anywhere = new Map<string, Placed>();
  /** Of the texts in `anywhere`. */
  private readonly lengths = new Set<number>();
  private readonly others: Placed[] = [];

  constructor(readonly targets: readonly Target[]) {
    this.hasIndex = targets.some(({ hasIndex }) => hasIndex);
    for (const [order, target] of targets.entries()) {
      const { text, end } = target;
      const known = end === 'module' ? this.modules : this.anywhere;
      if (end === undefined) this.others.push({ target, order });
      else if (!known.has(text)) known.set(text, { target, order });
      if (end === 'anywhere') this.lengths.add(text.length);
    }
  }

  has(module: string, group: TensorGroup): boolean {
    return this.matching(module, group).length > 0;
  }

  /** The first that means a module. */
  first(module: string, group: TensorGroup): Target | undefined {
    const [found, ...rest] = this.matching(module, group);
    return rest.reduce((first, placed) => (placed.order < (first?.order ?? 0) ? placed : first), found)?.target;
  }

  /** All that mean a module, of equal texts the first. */
  matching(module: string, group: TensorGroup): Placed[] {
    const found: (Placed | undefined)[] = this.others.filter(({ target }) => target.matches(module, group));
    if (this.modules.size > 0) for (const end of endsOf(module)) found.push(this.modules.get(end));
    for (const length of this.lengths)
      for (const name of [module, ...containersOf(module)])
        if (length <= name.length) found.push(this.anywhere.get(name.slice(name.length - length)));
    return found.filter((placed) => placed !== undefined);
  }
}

/** `a.b.c`, `b.c`, `c` */
function endsOf(module: string): string[] {
  const ends = [module];
  for (let at = module.indexOf('.'); at !== -1; at = module.indexOf('.', at + 1)) ends.push(module.slice(at + 1));
  return ends;
}

/** `a`, `a.b` of `a.b.c` */
export function containersOf(module: string): string[] {
  const segments = module.split('.');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
}
