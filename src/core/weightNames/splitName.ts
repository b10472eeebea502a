/** A parameter's name as that of its module and its last segment. */
export interface SplitName {
  /** Empty for a parameter outside of all modules. */
  module: string;
  leaf: string;
}

/** `mlp.up_proj` and `weight` of `mlp.up_proj.weight`. */
export function splitName(name: string): SplitName {
  const end = name.lastIndexOf('.');
  return { module: name.slice(0, Math.max(end, 0)), leaf: name.slice(end + 1) };
}
