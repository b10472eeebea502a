import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/**
 * Writes files of a folder under other names, and renames them in their order once all are whole. What a process of this machine that was killed has left of the same files
 * is removed.
 * @throws as `node:fs` does: what was there stays
 */
export async function replaceFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(files);
  const temporary = (name: string): string => path.join(folder, temporaryName(name, process.pid));
  try {
    await removeLeft(folder, names);
    for (const name of names) await writeFile(temporary(name), files[name] ?? '', { flush: true, flag: 'wx' });
    for (const name of names) await rename(temporary(name), path.join(folder, name));
  } catch (error) {
    for (const name of names) await rm(temporary(name), { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What a file is called until it is whole. Of a folder that machines share, the name says whose process writes it. */
export function temporaryName(name: string, pid: number): string {
  return `${name}.${hostname().replaceAll(/[^\w-]/g, '_')}-${pid}.tmp`;
}

async function removeLeft(folder: string, names: readonly string[]): Promise<void> {
  for (const found of await readdir(folder)) {
    const pid = Number(/-(\d{1,10})\.tmp$/.exec(found)?.[1]);
    const isOfThese = names.some((name) => found === temporaryName(name, pid));
    // A process of today may have the number of one that was killed.
    if (isOfThese && (pid === process.pid || !isRunning(pid))) await rm(path.join(folder, found)).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ESRCH';
  }
}
