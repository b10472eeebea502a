import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { visibleText } from '../core/text/visibleText.js';
import { describeIoError } from '../platform/ioError.js';
import { exitCode } from './exitCode.js';

/**
 * Writes contents into files, in folders that are made for them; answers the exit code.
 * @param target what a failure names: what the user asked to have written
 */
export async function writeFiles(
  target: string,
  files: readonly { path: string; content: string | Uint8Array }[],
): Promise<number> {
  try {
    for (const { path: file, content } of files) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    return exitCode.done;
  } catch (error) {
    process.stderr.write(`stowage: ${visibleText(target)} cannot be written: ${visibleText(describeIoError(error))}\n`);
    return exitCode.unreadable;
  }
}
