import { mkdir, open, utimes } from 'node:fs/promises';
import path from 'node:path';
import { sampleFiles } from './sampleFiles.js';
import { sampleRun } from './sampleRun.mjs';

/**
 * Writes the sample run below a folder, with the times that its writer would have left. 1.4 TB as the files say, 10 MB on a disk whose file system
 * keeps holes.
 * @param endMs when its newest file was written, milliseconds since 1970
 */
export async function writeSampleRun(folder: string, endMs: number): Promise<void> {
  for (const file of sampleRun(endMs)) {
    const [checkpoint = '', ...rest] = file.path.split('/');
    const content = filesOf(checkpoint).get(rest.join('/'));
    if (content === undefined) throw new Error(`the sample run has no ${file.path}`);
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    const handle = await open(target, 'w');
    try {
      for (const { offset, bytes } of content.segments) await handle.write(bytes, 0, bytes.byteLength, offset);
      await handle.truncate(content.sizeBytes);
    } finally {
      await handle.close();
    }
    await utimes(target, file.modifiedMs / 1000, file.modifiedMs / 1000);
  }
}

const made = new Map<string, ReturnType<typeof sampleFiles>>();

function filesOf(checkpoint: string): ReturnType<typeof sampleFiles> {
  const known = made.get(checkpoint) ?? sampleFiles(Number(checkpoint.slice('checkpoint-'.length)));
  made.set(checkpoint, known);
  return known;
}
