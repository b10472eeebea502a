/** Progress of the exhaustive run, one file a sweep below STOWAGE_PROGRESS: an interrupted run continues where it was. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Saved {
  name: string;
  key: string;
  /** Number of places in all. */
  places: number;
  /** The first place that was not visited. */
  next: number;
  visited: number;
  failures: unknown[];
}

export interface Progress extends Saved {
  /** Called after each visit; written to disk every second. */
  advance: (next: number, visited: number, failures: unknown[]) => void;
  finish: (visited: number, failures: unknown[]) => void;
}

const savedEveryMs = 1000;

export function beginProgress(name: string, key: string, places: number): Progress {
  const folder = process.env['STOWAGE_PROGRESS'];
  if (folder === undefined) throw new Error('STOWAGE_PROGRESS names no folder: use `npm run test:exhaustive`.');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 24)}.json`);
  const saved = readSaved(file);
  const state: Saved =
    saved?.key === key && saved.places === places ? saved : { name, key, places, next: 0, visited: 0, failures: [] };
  let writtenAt = 0;
  const write = (): void => {
    // A process that ends while it writes leaves the earlier state.
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
    writtenAt = performance.now();
  };
  return {
    ...state,
    advance(next, visited, failures) {
      Object.assign(state, { next, visited, failures });
      if (performance.now() - writtenAt >= savedEveryMs) write();
    },
    finish(visited, failures) {
      Object.assign(state, { next: places, visited, failures });
      write();
    },
  };
}

function readSaved(file: string): Saved | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Saved;
  } catch {
    return null;
  }
}
