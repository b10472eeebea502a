/** The log that scripts leave in the run: what they moved to its trash, and what they removed from there. */
import { parentPath, resolvedPath } from '../files/paths.js';
import { isRecord } from './smallFile.js';

const trashFolder = '.stowage/trash';
export const logPath = '.stowage/retention.log';

export interface TrashedCheckpoint {
  /** Where it was, relative to the run. */
  path: string;
  /** Folder of its plan in the trash, relative to the run. */
  trash: string;
  /** ISO 8601. */
  movedAt: string;
}

/**
 * What was moved and is still there: neither removed since, nor moved back by hand. Lines that are not of the log are left out: it is a note, and decides
 * nothing.
 * @param paths of all files of the run, its trash among them
 */
export function trashedCheckpoints(text: string, paths: readonly string[]): TrashedCheckpoint[] {
  const trashed = new Map<string, TrashedCheckpoint>();
  for (const line of text.split('\n')) {
    const { time, event, path, trash } = recordOf(line);
    if (typeof path !== 'string' || typeof trash !== 'string' || typeof time !== 'string') continue;
    if (event === 'moved') trashed.set(`${trash}/${path}`, { path, trash, movedAt: time });
    if (event === 'purged') trashed.delete(`${trash}/${path}`);
  }
  const there = new Set<string>();
  for (const path of paths)
    if (trashed.size > 0 && path.startsWith(`${trashFolder}/`))
      for (let at = path; at !== '' && !there.has(at); at = parentPath(at)) there.add(at);
  return [...trashed.values()].filter(({ trash, path }) => there.has(resolvedPath('', `${trash}/${path}`) ?? ''));
}

function recordOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
