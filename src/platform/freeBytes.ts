import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { thisSystem } from './os/thisSystem.js';

/** Addresses, and folders that another program fills in: `gs://…`, `$HOME/…`, `{{ output }}`, `<path>`. */
const isNoFolder = /^[a-z][a-z\d+.-]*:\/\/|[$<]|\{\{/i;

function isElsewhere(folder: string, outputFolder: string | undefined): boolean {
  if (outputFolder === undefined || !path.isAbsolute(outputFolder)) return false;
  return folder === path.parse(folder).root && path.resolve(outputFolder) !== folder;
}

/**
 * Bytes that a user may still write where a config in `configFolder` has its checkpoints go; null where the system does not tell, and for
 * folders that are on no file system (`s3://…`, `gs://…`), that another program fills in, on another machine or, on Windows, on a server.
 */
export async function freeBytesFor(
  configFolder: string,
  outputFolder: string | undefined,
  system = thisSystem,
): Promise<number | null> {
  if (outputFolder !== undefined && (isNoFolder.test(outputFolder) || system.leadsOutOfFiles(outputFolder))) return null;
  let folder = path.resolve(configFolder, outputFolder ?? '.');
  for (;;) {
    try {
      const { bavail, bsize } = await statfs(folder);
      // Of an absolute folder nothing but the root is there: it is on another machine.
      return isElsewhere(folder, outputFolder) ? null : bavail * bsize;
    } catch {
      const parent = path.dirname(folder);
      if (parent === folder) return null;
      folder = parent;
    }
  }
}
