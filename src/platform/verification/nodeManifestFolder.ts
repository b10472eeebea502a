import { constants } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ManifestFolder } from '../../app/verification/manifestFolder.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { partialName } from '../../core/verification/manifest/manifestFile.js';
import { describeIoError } from '../ioError.js';
import { readRegularText } from '../regularFile.js';
import { replaceFiles } from '../replaceFiles.js';
import { PartialLines } from './partialLines.js';

/** A directory of this machine, which is made with the first file. */
export function nodeManifestFolder(folder: string): ManifestFolder {
  const partial = path.join(folder, partialName);
  const lines = new PartialLines(partial);
  return {
    readPartial: () => written(folder, () => partialText(partial)),
    addToPartial: (text) => written(folder, () => lines.add(text)),
    flushPartial: () => written(folder, () => lines.flush()),
    beginPartial: (text) =>
      written(folder, async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(partial, text, {
          flush: true,
          flag: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0),
        });
      }),
    finish: (files) =>
      written(folder, async () => {
        await lines.flush();
        await replaceFiles(folder, files);
        await rm(partial, { force: true });
      }),
  };
}

async function partialText(partial: string): Promise<string | null> {
  try {
    return await readRegularText(partial, limits.manifestFileBytes);
  } catch (error) {
    if (FormatError.is(error, 'io') && (error.cause as { code?: string } | undefined)?.code === 'ENOENT') return null;
    throw error;
  }
}

/** @throws FormatError `io` that begins with the folder */
async function written<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new FormatError('io', `${folder}: ${describeIoError(error)}`, { cause: error });
  }
}
