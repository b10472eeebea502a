/** A report that comes out of a file: of an earlier check, or for a plan. */
import * as v from 'valibot';
import {
  amountField as amount,
  cacheField,
  countField as count,
  ioField,
  latenciesField as latencies,
  machineField,
  metadataEntries,
  ratedSamplesField,
  textField as text,
} from './measurementFields.js';
import { limits } from '../bytes/limits.js';
import { doubtCodes, type BandwidthReport } from './bandwidthReport.js';

const rateEntries = {
  medianBytesPerSecond: amount,
  minimumBytesPerSecond: amount,
  maximumBytesPerSecond: amount,
  spread: amount,
  samples: ratedSamplesField,
  blocks: latencies,
};
const nodesRate = v.object({
  maximumSeconds: amount,
  minimumNodeBytesPerSecond: amount,
  medianBytesPerSecond: amount,
  spread: amount,
});
const someTexts = v.pipe(v.array(text), v.maxLength(200));

const bandwidthReport = v.object({
  schemaVersion: v.literal(1),
  kind: v.literal('bandwidth'),
  path: text,
  measuredAt: v.pipe(v.string(), v.isoTimestamp()),
  elapsedSeconds: amount,
  machine: machineField,
  fileSystem: v.object({
    type: text,
    mountPoint: v.nullable(text),
    source: v.nullable(text),
    options: someTexts,
    totalBytes: v.nullable(amount),
    freeBytes: v.nullable(amount),
    freeFiles: v.nullable(amount),
    stripe: v.nullable(v.object({ count: v.pipe(v.number(), v.safeInteger()), sizeBytes: count })),
    quota: v.nullable(v.object({ usedBytes: amount, limitBytes: amount })),
    name: text,
    kind: v.picklist(['memory', 'overlay', 'node', 'shared', 'object', 'unknown']),
    isShared: v.boolean(),
    meaning: text,
  }),
  shape: v.object({
    like: v.nullable(text),
    realBytes: count,
    realFiles: count,
    scale: amount,
    files: count,
    totalBytes: count,
    largestFileBytes: count,
    streams: count,
    blockBytes: count,
    repeats: count,
  }),
  write: v.object({ ...rateEntries, isDirect: v.boolean(), syncs: latencies }),
  read: v.object({ ...rateEntries, cache: cacheField, comparedBlocks: count }),
  metadata: v.nullable(v.object({ ...metadataEntries, filesPerSecond: amount })),
  nodes: v.nullable(
    v.object({
      count,
      write: nodesRate,
      read: nodesRate,
      perNode: v.pipe(
        v.array(
          v.object({
            name: text,
            writeBytesPerSecond: amount,
            readBytesPerSecond: amount,
            writeSeconds: amount,
            readSeconds: amount,
          }),
        ),
        v.maxLength(limits.planListItems),
      ),
      startSpreadSeconds: amount,
    }),
  ),
  io: ioField,
  verdict: v.object({
    sentences: someTexts,
    saveSeconds: amount,
    saveSecondsRange: v.tuple([amount, amount]),
    restoreSeconds: amount,
    interval: v.object({ seconds: amount, isAssumed: v.boolean() }),
    intervalShare: amount,
    neededBytesPerSecond: amount,
    isEnough: v.boolean(),
    cannotConclude: v.pipe(v.array(v.object({ code: v.picklist(doubtCodes), text })), v.maxLength(doubtCodes.length)),
  }),
});

/** Null for what is no report of this version. Fields that it does not know are left out. */
export function readBandwidthReport(value: unknown): BandwidthReport | null {
  const result = v.safeParse(bandwidthReport, value, { abortEarly: true });
  return result.success ? result.output : null;
}

/** The same of text; null also for what is no JSON. */
export function parseBandwidthReport(json: string): BandwidthReport | null {
  try {
    return readBandwidthReport(JSON.parse(json));
  } catch {
    return null;
  }
}
