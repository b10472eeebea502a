import type { CheckRequest, Latencies, Measurement, PhaseSample } from '../../../src/core/bandwidth/measurement.js';

export const checkRequest: CheckRequest = {
  target: '/data/run',
  shape: {
    replayOf: null,
    realBytes: 8192,
    realFiles: 2,
    scale: 1,
    files: [
      { name: '0001-a.bin', sizeBytes: 4096 },
      { name: '0002-b.bin', sizeBytes: 4096 },
    ],
    totalBytes: 8192,
    streams: 2,
    blockBytes: 4096,
  },
  repeats: 1,
  seconds: 10,
  smallFiles: 0,
  sweep: null,
  sustained: null,
};

export const latencies: Latencies = { operations: 1, medianSeconds: 1, p95Seconds: 1, p99Seconds: 1, maximumSeconds: 1 };

/** What a node that writes and reads so fast would have measured in one second. */
export function nodeMeasurement({
  bytesPerSecond = 1000,
  samples,
}: {
  bytesPerSecond?: number;
  samples?: PhaseSample[];
}): Measurement {
  const all = samples ?? [{ bytes: bytesPerSecond, seconds: 1, firstDoneSeconds: 1, isCut: false }];
  const bytes = all.reduce((sum, sample) => sum + sample.bytes, 0);
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    elapsedSeconds: 2,
    machine: { name: 'machine', memoryBytes: 1e9, cpus: 2 },
    write: { samples: all, isDirect: true, blocks: latencies, syncs: latencies },
    read: { samples: all, cache: 'bypassed', blocks: latencies, comparedBlocks: 1 },
    metadata: null,
    sweep: null,
    sustained: null,
    io: {
      writtenBytes: bytes,
      readBytes: bytes,
      countedWrittenBytes: bytes,
      writeCpuSeconds: 0.1,
      dataWaitShare: 0,
      busyShare: null,
    },
  };
}
