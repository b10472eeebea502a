/** A JSON value as dotted keys with their leaves: `rope_scaling.factor` is `8`. */
import { limits } from '../bytes/limits.js';

export interface FlatKeys {
  /** Each leaf as JSON; an empty object or list is one. */
  leaves: Map<string, string>;
  /** True where there are more than `limits.comparedKeys`. */
  isCut: boolean;
}

/** Without recursion, as a file decides how deep it is. @param leftOut keys of the root that are not followed */
export function flatKeys(root: unknown, leftOut: ReadonlySet<string>): FlatKeys {
  const leaves = new Map<string, string>();
  const open: Entries[] = [new Entries('', root)];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.next();
    if (next === undefined) {
      open.pop();
      continue;
    }
    const [key, value] = next;
    if (open.length === 1 && leftOut.has(key)) continue;
    const path = last.path === '' ? key : `${last.path}.${key}`;
    if (isInner(value) && path.length <= mostKeyCharacters) open.push(new Entries(path, value));
    else if (leaves.size < limits.comparedKeys) leaves.set(path, leafText(value));
    else return { leaves, isCut: true };
  }
  return { leaves, isCut: false };
}

/** A file may nest as deep as it is long: each level would hold all keys above it. */
const mostKeyCharacters = 1_000;

/** The entries of an object or a list, one after the other. */
class Entries {
  private readonly keys: string[];
  private at = 0;

  constructor(
    readonly path: string,
    private readonly value: unknown,
  ) {
    this.keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  }

  next(): [string, unknown] | undefined {
    const key = this.keys[this.at++];
    return key === undefined ? undefined : [key, (this.value as Record<string, unknown>)[key]];
  }
}

function isInner(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Texts as they are, without quotes: `bfloat16`. */
function leafText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? (value.length === 0 ? '[]' : '[…]') : Object.keys(value).length === 0 ? '{}' : '{…}';
}
