/** One stream's part of measuring the sustained rate: files without a pause, in a room that is used again and again. */
import { CountedWrites } from './countedWrites.js';
import type { CheckControl } from './sharedMemory.js';
import type { StreamData } from './streamData.js';
import { sync, writeFully, type StreamFiles } from './streamFiles.js';
import type { StreamJob, SustainedDone } from './streamJobs.js';

/**
 * Through the cache, what lies between two syncs is in memory and not written yet: it is counted once it is synced. Large enough to keep a
 * disk busy, and small enough that eight streams leave a quarter of a gigabyte uncounted.
 */
const syncedAtOnceBytes = 32 * 1024 * 1024;

export interface SustainedParts {
  control: CheckControl;
  data: StreamData;
  files: StreamFiles;
  stream: number;
  blockBytes: number;
}

/** Writes until the phase ends: by its time, by its bytes, which all streams share, or by the one who watches the rate. */
export function writeSustained(parts: SustainedParts, job: Extract<StreamJob, { kind: 'sustained' }>): SustainedDone {
  const counted = new CountedWrites();
  const { control, data, files } = parts;
  data.waitSeconds = 0;
  const written = { bytes: 0 };
  for (let round = 0; !mustEnd(control, written.bytes); round++) {
    const name = job.names[round % job.names.length] ?? '';
    if (round >= job.names.length) files.remove(name);
    if (!writeFile(parts, name, job, written)) break;
  }
  files.syncDirectory();
  return {
    kind: 'sustained',
    doneSeconds: control.secondsSinceStart(),
    bytes: written.bytes,
    dataWaitSeconds: data.waitSeconds,
    countedBytes: counted.bytes(),
  };
}

/** False where the phase ended before the file was whole. */
function writeFile(
  { control, data, files, stream, blockBytes }: SustainedParts,
  name: string,
  { fileBytes, isDirect }: Extract<StreamJob, { kind: 'sustained' }>,
  written: { bytes: number },
): boolean {
  let offset = 0;
  let synced = 0;
  const syncAll = (descriptor: number): void => {
    sync(descriptor);
    synced = offset;
    control.setDone(stream, written.bytes);
  };
  files.create(name, isDirect, (descriptor) => {
    while (offset < fileBytes && !mustEnd(control, written.bytes)) {
      const length = Math.min(blockBytes, fileBytes - offset);
      const block = control.takeBytes(length) ? data.take(length) : null;
      if (block === null) break;
      writeFully(descriptor, block, offset);
      offset += block.length;
      written.bytes += block.length;
      if (isDirect) control.setDone(stream, written.bytes);
      else if (offset - synced >= syncedAtOnceBytes) syncAll(descriptor);
    }
    syncAll(descriptor);
  });
  return offset === fileBytes;
}

/** A first block is always written, however little time there is: without one there is no rate. */
function mustEnd(control: CheckControl, done: number): boolean {
  return control.isStopped || (done > 0 && control.isPastDeadline());
}
