/**
 * The file beside a tag that names it as the latest: `latest`, and `latest_universal` for universal checkpoints. `load_checkpoint` without a
 * tag reads it, and loads nothing where it is missing (deepspeed/runtime/engine.py: load_checkpoint).
 */
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { findTags, findUniversalTags } from './deepspeedFiles.js';

/** A pointer that is missing beside at least one tag. */
export interface MissingPointer {
  /** Path of the pointer. */
  file: string;
  /** Path of the first tag beside it. */
  tag: string;
}

/** Each missing pointer once. A tag that is the root itself has its pointer outside of it. */
export function findMissingPointers(paths: readonly string[]): MissingPointer[] {
  const universal = findUniversalTags(paths);
  const tags = new Set([...findTags(paths).map(({ directory }) => directory), ...universal]);
  tags.delete('');
  return missingPointersOf(
    [...tags].map((directory) => ({ directory, isUniversal: universal.has(directory) })),
    new Set(paths),
  );
}

/** What a directory of these files is a tag of; undefined where its tags, if any, are below it. */
export function kindOfTag(paths: readonly string[]): 'plain' | 'universal' | undefined {
  if (findUniversalTags(paths).has('')) return 'universal';
  return findTags(paths).some(({ directory }) => directory === '') ? 'plain' : undefined;
}

/** The pointers that are missing beside tags that are known. `paths`: files of the directory that has the tags. */
export function missingPointersOf(
  tags: readonly { directory: string; isUniversal: boolean }[],
  paths: ReadonlySet<string>,
): MissingPointer[] {
  const missing = new Map<string, MissingPointer>();
  for (const { directory, isUniversal } of tags) {
    const file = joinPath(parentPath(directory), isUniversal ? 'latest_universal' : 'latest');
    if (!paths.has(file) && !missing.has(file)) missing.set(file, { file, tag: directory });
  }
  return [...missing.values()];
}

/** Says that loading without a tag loads nothing. */
export function tagPointerFinding({ file, tag }: MissingPointer): Finding {
  return { code: 'tag-pointer-missing', facts: { file, tag: baseName(tag) } };
}
