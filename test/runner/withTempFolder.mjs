import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * @template T
 * @param {(folder: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withTempFolder(use) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'stowage-test-')));
  try {
    return await use(folder);
  } finally {
    // A server that is being ended may still write a last file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
