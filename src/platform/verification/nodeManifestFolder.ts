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
    readPartial: () => written(() => partialText(partial)),
    addToPartial: (text) => written(() => lines.add(text)),
    flushPartial: () => written(() => lines.flush()),
    beginPartial: (text) =>
      written(async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(partial, text, {
          flush: true,
          flag: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0),
        });
      }),
    finish: (files) =>
      written(async () => {
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

/** @throws FormatError `io` */
async function written<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isForbidden = ['EACCES', 'EPERM'].includes((error as { code?: string }).code ?? '');
    throw new FormatError('io', isForbidden ? 'no permission to write there' : describeIoError(error), { cause: error });
  }
}
