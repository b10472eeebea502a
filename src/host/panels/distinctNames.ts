/** Names of things that are shown side by side: where two are the same, the nearest folder in which their paths differ tells them apart. */

/** What is named: the parts of its path, of which the last is its name, and where several things share a path which of them it is. */
export interface NamedPath {
  parts: readonly string[];
  /** Empty for most. */
  part?: string;
}

/** `model.safetensors`, `checkpoint-30 (run-a)`, `data (jsonl)`, in the order of the paths. The same thing twice has the same name. */
export function distinctNames(paths: readonly NamedPath[]): string[] {
  return paths.map((path) => {
    const others = paths.filter((other) => nameOf(other) === nameOf(path) && !isSame(other, path));
    const beside = others.length === 0 ? '' : folderThatDiffers(path, others);
    const notes = [beside, path.part ?? ''].filter((note) => note !== '');
    return notes.length === 0 ? nameOf(path) : `${nameOf(path)} (${notes.join(', ')})`;
  });
}

function nameOf({ parts }: NamedPath): string {
  return parts.at(-1) ?? '';
}

function isSame(a: NamedPath, b: NamedPath): boolean {
  return a.parts.length === b.parts.length && a.parts.every((part, index) => part === b.parts[index]);
}

/** Folders from the first that tells a path from all others to the one above its name: `run-a`, or `run-a/global` where each has a `global`. */
function folderThatDiffers({ parts }: NamedPath, others: readonly NamedPath[]): string {
  for (let depth = 2; depth <= parts.length; depth += 1) {
    const end = parts.slice(-depth).join('/');
    if (others.every((other) => other.parts.slice(-depth).join('/') !== end)) return parts.slice(-depth, -1).join('/');
  }
  return parts.slice(0, -1).join('/');
}
