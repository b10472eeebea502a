/** The log that scripts leave in the run: what they moved to its trash, and what they removed from there. */
import { isRecord } from './smallFile.js';

export const logPath = '.stowage/retention.log';

export interface TrashedCheckpoint {
  /** Where it was, relative to the run. */
  path: string;
  /** Folder of its plan in the trash. */
  trash: string;
  /** ISO 8601. */
  movedAt: string;
}

/** What was moved and not removed since. Lines that are not of the log are left out: it is a note, and decides nothing. */
export function trashedCheckpoints(text: string): TrashedCheckpoint[] {
  const trashed = new Map<string, TrashedCheckpoint>();
  for (const line of text.split('\n')) {
    const { time, event, path, trash } = recordOf(line);
    if (typeof path !== 'string' || typeof trash !== 'string' || typeof time !== 'string') continue;
    if (event === 'moved') trashed.set(`${trash}/${path}`, { path, trash, movedAt: time });
    if (event === 'purged') trashed.delete(`${trash}/${path}`);
  }
  return [...trashed.values()];
}

function recordOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
