import { previewCheck } from '../../src/core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../src/core/bandwidth/checkSettings.js';
import type { CheckProgress, Latencies, Measurement, PhaseSample } from '../../src/core/bandwidth/measurement.js';
import type { FileSystemFacts, TargetFacts } from '../../src/core/bandwidth/targetFacts.js';
import type { BandwidthReport } from '../../src/core/bandwidth/bandwidthReport.js';
import type { SustainedMeasurement } from '../../src/core/bandwidth/sustained/sustainedReport.js';
import type { SweepMeasurement } from '../../src/core/bandwidth/sweep/sweepReport.js';
import { makeBandwidthReport } from '../../src/core/bandwidth/makeBandwidthReport.js';

export function checkSettings(changes: Partial<CheckSettings> = {}): CheckSettings {
  return {
    target: '/data/runs',
    replayOf: null,
    sizeBytes: null,
    streams: null,
    blockBytes: null,
    seconds: 30,
    repeats: 3,
    spaceBytes: null,
    intervalSeconds: null,
    sweepStreams: null,
    isSustained: false,
    sustainedBytes: null,
    sustainedSeconds: null,
    ...changes,
  };
}

export function fileSystemFacts(changes: Partial<FileSystemFacts> = {}): FileSystemFacts {
  return {
    type: 'ext4',
    mountPoint: '/data',
    source: '/dev/nvme0n1',
    options: ['rw', 'relatime'],
    totalBytes: 4e12,
    freeBytes: 1e12,
    freeFiles: 1e8,
    stripe: null,
    quota: null,
    ...changes,
  };
}

export function targetFacts(changes: Partial<TargetFacts> = {}): TargetFacts {
  return { path: '/data/runs', fileSystem: fileSystemFacts(), others: [], loginNode: null, ...changes };
}

export function latencies(operations = 100): Latencies {
  return { operations, medianSeconds: 0.002, p95Seconds: 0.004, p99Seconds: 0.009, maximumSeconds: 0.02 };
}

export function sample(bytes: number, seconds: number, changes: Partial<PhaseSample> = {}): PhaseSample {
  return { bytes, seconds, firstDoneSeconds: seconds * 0.9, isCut: false, ...changes };
}

/** A step of a check that writes 4 GB three times. */
export function checkProgress(changes: Partial<CheckProgress> = {}): CheckProgress {
  return {
    phase: 'write',
    repeat: 1,
    repeats: 3,
    elapsedSeconds: 1,
    phaseSeconds: 1,
    done: 1e9,
    total: 4e9,
    bytesPerSecond: 2e9,
    parts: { checkSeconds: 30, sweepSeconds: 0, sustainedSeconds: 0 },
    ...changes,
  };
}

/** What a check of 4 GiB might have measured: 2.0, 2.1 and 2.2 GB/s, read at 3.4. */
export function measurement(changes: Partial<Measurement> = {}): Measurement {
  const bytes = 4 * 2 ** 30;
  return {
    startedAt: '2026-01-02T03:04:05.678Z',
    elapsedSeconds: 11.5,
    machine: { name: 'node-1', memoryBytes: 2 ** 40, cpus: 96 },
    write: {
      samples: [2.0e9, 2.2e9, 2.1e9].map((rate) => sample(bytes, bytes / rate)),
      isDirect: true,
      blocks: latencies(),
      syncs: latencies(24),
    },
    read: {
      samples: [3.4e9, 3.5e9, 3.3e9].map((rate) => sample(bytes, bytes / rate)),
      cache: 'bypassed',
      blocks: latencies(),
      comparedBlocks: 3072,
    },
    metadata: {
      files: 1000,
      streams: 8,
      seconds: 0.5,
      isCut: false,
      create: latencies(1000),
      sync: latencies(1000),
      rename: latencies(1000),
      remove: latencies(1000),
    },
    sweep: null,
    sustained: null,
    io: {
      writtenBytes: 3 * bytes,
      readBytes: 3 * bytes,
      countedWrittenBytes: 3 * bytes + 4_097_000,
      writeCpuSeconds: 5,
      dataWaitShare: 0.001,
      busyShare: null,
    },
    ...changes,
  };
}

/** A course of rates, a second each. */
export function sustainedMeasurement(
  rates: readonly number[],
  changes: Partial<SustainedMeasurement> = {},
): SustainedMeasurement {
  const bins = rates.map((bytes) => ({ seconds: 1, bytes }));
  return {
    bins,
    bytes: rates.reduce((sum, rate) => sum + rate, 0),
    seconds: rates.length,
    endedBy: 'settled',
    isDirect: true,
    writtenBeforeBytes: 3 * 4 * 2 ** 30 + 4_096_000,
    ...changes,
  };
}

/** Runs of a sweep past the cache and through it, which is slower: three of each number of streams. */
export function sweepMeasurement(rates: Readonly<Record<number, number>>): SweepMeasurement {
  const runs = [0.98, 1, 1.03].flatMap((factor) =>
    [true, false].flatMap((isDirect) =>
      Object.entries(rates).map(([streams, rate]) => {
        const bytes = Math.round(rate * factor * (isDirect ? 1 : 0.8));
        return { streams: Number(streams), isDirect, bytes, seconds: 1 };
      }),
    ),
  );
  return { runs, seconds: runs.length };
}

/** Files of a DeepSpeed save: 112 GB in eight optimizer shards and some small files. */
export const savedFiles = [
  ...Array.from({ length: 8 }, (_, rank) => ({ name: `global_step10/zero_pp_rank_${rank}_optim_states.pt`, sizeBytes: 12e9 })),
  { name: 'global_step10/mp_rank_00_model_states.pt', sizeBytes: 16e9 },
  { name: 'latest', sizeBytes: 13 },
  { name: 'empty', sizeBytes: 0 },
];

export function bandwidthReport(
  settings: Partial<CheckSettings> = {},
  facts: Partial<TargetFacts> = {},
  changes: Partial<Measurement> = {},
): BandwidthReport {
  const asked = checkSettings(settings);
  const { request } = previewCheck(
    asked,
    targetFacts(facts),
    asked.replayOf === null ? null : { replayOf: asked.replayOf, files: savedFiles },
  );
  if (request === null) throw new Error('these settings are refused');
  return makeBandwidthReport({ settings: asked, request, facts: targetFacts(facts), measurement: measurement(changes) });
}
