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
import { caveatCodes, type BandwidthReport } from './bandwidthReport.js';

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

const shapeEntries = {
  realBytes: count,
  realFiles: count,
  scale: amount,
  files: count,
  totalBytes: count,
  largestFileBytes: count,
  streams: count,
  blockBytes: count,
  repeats: count,
};
const verdictEntries = {
  sentences: someTexts,
  saveSeconds: amount,
  saveSecondsRange: v.tuple([amount, amount]),
  restoreSeconds: v.nullable(amount),
  interval: v.object({ seconds: amount, isAssumed: v.boolean() }),
  intervalShare: amount,
  neededBytesPerSecond: amount,
  isEnough: v.boolean(),
};
const replayOf = v.nullable(text);
const caveats = v.pipe(v.array(v.object({ code: v.picklist(caveatCodes), text })), v.maxLength(caveatCodes.length));

/** Entries that every version has under the same name. */
const entries = {
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
};

const currentReport = v.object({
  schemaVersion: v.literal(2),
  ...entries,
  shape: v.object({ replayOf, ...shapeEntries }),
  verdict: v.object({ ...verdictEntries, caveats }),
});

/** Histories on disk have reports of version 1, in which two fields had other names. */
const firstReport = v.pipe(
  v.object({
    schemaVersion: v.literal(1),
    ...entries,
    shape: v.object({ like: replayOf, ...shapeEntries }),
    verdict: v.object({ ...verdictEntries, cannotConclude: caveats }),
  }),
  v.transform(({ shape: { like, ...shape }, verdict: { cannotConclude, ...verdict }, ...report }) => ({
    ...report,
    schemaVersion: 2 as const,
    shape: { replayOf: like, ...shape },
    verdict: { ...verdict, caveats: cannotConclude },
  })),
);

const bandwidthReport = v.variant('schemaVersion', [currentReport, firstReport]);

/** Null for anything but a report. Version 1 becomes the current one; unknown fields are ignored. */
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
