import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes files of a folder under other names, and renames them once all are whole.
 * @throws as `node:fs` does: what was there stays
 */
export async function replaceFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(files);
  const temporary = (name: string): string => path.join(folder, `${name}.${process.pid}.tmp`);
  try {
    for (const name of names) await writeFile(temporary(name), files[name] ?? '', { flush: true, flag: 'wx' });
    for (const name of names) await rename(temporary(name), path.join(folder, name));
  } catch (error) {
    for (const name of names) await rm(temporary(name), { force: true }).catch(() => undefined);
    throw error;
  }
}
