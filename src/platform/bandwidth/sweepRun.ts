import type { SweepMeasurement, SweepRun } from '../../core/bandwidth/sweep/sweepReport.js';
import { nextRunBytes, sweepFiles, type SweepRequest } from '../../core/bandwidth/sweep/sweepRequest.js';
import type { PhaseRunner } from './phaseRunner.js';
import { monotonicNanoseconds } from './sharedMemory.js';
import type { WriteDone } from './streamJobs.js';

interface SweepPlace {
  streams: number;
  isDirect: boolean;
}

/**
 * Writes and syncs with each number of streams, through the cache and past it. Rounds run forth and back over all points, so that a
 * storage that becomes slower meanwhile is so for all of them. The first round covers every point, however little time there is.
 * @param canBypass whether the file system takes O_DIRECT
 * @param fastestBytesPerSecond that the repeats of the check wrote with
 */
export async function runSweep(
  runner: PhaseRunner,
  request: SweepRequest,
  canBypass: boolean,
  fastestBytesPerSecond: number,
): Promise<SweepMeasurement> {
  const began = monotonicNanoseconds();
  const elapsed = (): number => Number(monotonicNanoseconds() - began) / 1e9;
  const places = (canBypass ? [false, true] : [false]).flatMap((isDirect) =>
    request.streams.map((streams): SweepPlace => ({ streams, isDirect })),
  );
  const order = Array.from({ length: request.repeats }, (_, round) => (round % 2 === 0 ? places : places.toReversed())).flat();
  const runs: SweepRun[] = [];
  let fastest = fastestBytesPerSecond;
  for (const [index, place] of order.entries()) {
    const left = Math.max(0, request.seconds - elapsed());
    if (left === 0 && index >= places.length) break;
    const seconds = left / (order.length - index);
    const run = await runPlace(runner, place, {
      number: index + 1,
      of: order.length,
      bytes: nextRunBytes(request, seconds, fastest),
      seconds,
    });
    runs.push(run);
    if (run.seconds > 0) fastest = Math.max(fastest, run.bytes / run.seconds);
  }
  return { runs, seconds: elapsed() };
}

async function runPlace(
  runner: PhaseRunner,
  { streams, isDirect }: SweepPlace,
  { number, of, bytes, seconds }: { number: number; of: number; bytes: number; seconds: number },
): Promise<SweepRun> {
  const files = sweepFiles(streams, bytes);
  runner.enter(
    'sweep',
    number,
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    of,
  );
  const done = await runner.write<WriteDone>(
    streams,
    `sweep-${number}`,
    (stream, turn) => ({ kind: 'write', turn, files: files.slice(stream, stream + 1), isDirect }),
    seconds,
  );
  await runner.removeFiles(files.map(({ name }) => name));
  return {
    streams,
    isDirect,
    bytes: done.reduce((sum, part) => sum + part.bytes, 0),
    seconds: done.reduce((longest, part) => Math.max(longest, part.doneSeconds), 0),
  };
}
