/** From what was counted and timed to what it means. */
import { median } from '../bytes/median.js';
import type { CheckSettings } from './checkSettings.js';
import type { CheckRequest, Latencies, Measurement, PhaseSample } from './measurement.js';
import type { TargetFacts } from './targetFacts.js';
import type { BandwidthReport, NodesReport, RateSummary } from './bandwidthReport.js';
import { caveatsOf } from './caveats.js';
import { fileSystemReport } from './fileSystemReport.js';
import { sustainedReport } from './sustained/sustainedReport.js';
import { sweepReport } from './sweep/sweepReport.js';
import { verdictOf } from './verdict/verdict.js';

/** A check that is done: what was asked of it, where, and what it measured. */
export interface FinishedCheck {
  settings: Pick<CheckSettings, 'intervalSeconds'>;
  request: CheckRequest;
  facts: TargetFacts;
  measurement: Measurement;
}

/** @param nodes of a check on several nodes; `measurement` is of all of them together then */
export function makeBandwidthReport(
  { settings, request, facts, measurement }: FinishedCheck,
  nodes: NodesReport | null = null,
): BandwidthReport {
  const { startedAt, elapsedSeconds, machine, write, read, metadata, sweep, sustained, io } = measurement;
  const written = rateOf(write.samples, write.blocks);
  const measured = {
    schemaVersion: 3 as const,
    kind: 'bandwidth' as const,
    path: facts.path,
    measuredAt: startedAt,
    elapsedSeconds,
    machine,
    fileSystem: fileSystemReport(facts.fileSystem),
    shape: shapeReport(request),
    write: { ...written, isDirect: write.isDirect, syncs: write.syncs },
    read: { ...rateOf(read.samples, read.blocks), cache: read.cache, comparedBlocks: read.comparedBlocks },
    metadata: metadata && { ...metadata, filesPerSecond: perSecond(metadata.files, metadata.seconds) },
    nodes,
    sweep: sweep === null || request.sweep === null || sweep.runs.length === 0 ? null : sweepReport(sweep, request.sweep),
    sustained: sustained === null || request.sustained === null ? null : sustainedReport(sustained, request.sustained, written),
    io,
  };
  const isAlone = !facts.others.some(({ state }) => state === 'running');
  return { ...measured, verdict: verdictOf(measured, settings.intervalSeconds, caveatsOf(measured, isAlone)) };
}

function shapeReport({ shape, repeats }: CheckRequest): BandwidthReport['shape'] {
  const { replayOf, realBytes, realFiles, scale, files, totalBytes, streams, blockBytes } = shape;
  const largestFileBytes = files.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  return {
    replayOf,
    realBytes,
    realFiles,
    scale,
    files: files.length,
    totalBytes,
    largestFileBytes,
    streams,
    blockBytes,
    repeats,
  };
}

function rateOf(samples: readonly PhaseSample[], blocks: Latencies): RateSummary {
  const rated = samples.map((sample) => ({ ...sample, bytesPerSecond: perSecond(sample.bytes, sample.seconds) }));
  const rates = rated.map(({ bytesPerSecond }) => bytesPerSecond);
  const medianBytesPerSecond = median(rates);
  const minimumBytesPerSecond = rates.reduce((least, rate) => Math.min(least, rate), Infinity);
  const maximumBytesPerSecond = rates.reduce((most, rate) => Math.max(most, rate), 0);
  const spread = medianBytesPerSecond === 0 ? 0 : (maximumBytesPerSecond - minimumBytesPerSecond) / medianBytesPerSecond;
  return { medianBytesPerSecond, minimumBytesPerSecond, maximumBytesPerSecond, spread, samples: rated, blocks };
}

/** 0 where no time passed, which a clock of nanoseconds says only of nothing. */
function perSecond(amount: number, seconds: number): number {
  return seconds > 0 ? amount / seconds : 0;
}
