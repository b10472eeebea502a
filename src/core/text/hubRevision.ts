/** A revision of a repository on the Hugging Face Hub, and what it is called. */
import { visibleText } from './visibleText.js';

export const repositoryTypes = ['model', 'dataset', 'space', 'kernel'] as const;

export type RepositoryType = (typeof repositoryTypes)[number];

export interface HubRevision {
  /** `owner/name`, or the name alone. */
  repository: string;
  type: RepositoryType;
  /** Its 40 characters. */
  commit: string;
  /** Branches, tags and pull requests that name it; null where they are not part of the inspected directory. */
  refs: string[] | null;
}

/** A commit as Git writes it. */
export function isCommit(name: string): boolean {
  return /^[0-9a-f]{40}$/.test(name);
}

/** `model/org/name`, as `hf cache ls` has it and `hf cache rm` takes it (huggingface_hub/utils/_cache_manager.py, `cache_id`). */
export function cacheId({ type, id }: { type: RepositoryType; id: string }): string {
  return `${type}/${id}`;
}

/** `model/org/name@0123456`. */
export function shortRevision({ type, repository, commit }: Omit<HubRevision, 'refs'>): string {
  return `${cacheId({ type, id: repository })}@${isCommit(commit) ? commit.slice(0, 7) : visibleText(commit)}`;
}

/** Refs that are named before the rest is counted. */
const MOST_REFS = 3;

/** `model/org/name@0123456 (main, v1.0)`. */
export function revisionInWords(revision: HubRevision): string {
  const { refs } = revision;
  const name = shortRevision(revision);
  if (refs === null) return name;
  if (refs.length === 0) return `${name} (no ref)`;
  const shown = refs.slice(0, MOST_REFS).map((ref) => visibleText(ref));
  return `${name} (${[...shown, ...(refs.length > MOST_REFS ? [`${refs.length - MOST_REFS} more`] : [])].join(', ')})`;
}
