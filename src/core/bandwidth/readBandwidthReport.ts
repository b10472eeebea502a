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
import {
  caveatCodes,
  decidingBounds,
  rateSources,
  sufficiencies,
  type BandwidthReport,
  type MeasuredReport,
} from './bandwidthReport.js';
import { caveatsOf, type Caveat } from './caveats.js';
import { sustainedField } from './sustained/sustainedFields.js';
import { sweepField } from './sweep/sweepFields.js';
import { verdictOf } from './verdict/verdict.js';

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
const replayOf = v.nullable(text);
const caveats = v.pipe(v.array(v.object({ code: v.picklist(caveatCodes), text })), v.maxLength(caveatCodes.length));
const code = v.nullable(v.picklist(caveatCodes));
const interval = v.object({ seconds: amount, isAssumed: v.boolean() });
const rateBound = v.object({ of: v.picklist(rateSources), bytesPerSecond: amount });

const verdict = v.object({
  sentences: someTexts,
  sufficiency: v.picklist(sufficiencies),
  isEnough: v.boolean(),
  decidedBy: v.object({ bound: v.picklist(decidingBounds), of: v.picklist(rateSources), caveat: code }),
  saveSeconds: amount,
  saveSecondsRange: v.tuple([amount, amount]),
  expectedRate: rateBound,
  slowestRate: rateBound,
  lowerBound: v.object({ bytesPerSecond: amount, caveat: code, saveSeconds: amount }),
  files: v.nullable(v.object({ files: count, seconds: amount, secondsPerFile: amount, saveShare: amount })),
  restoreSeconds: v.nullable(amount),
  interval,
  intervalShare: amount,
  neededBytesPerSecond: v.nullable(amount),
  caveats,
});

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
  schemaVersion: v.literal(3),
  ...entries,
  shape: v.object({ replayOf, ...shapeEntries }),
  sweep: v.nullable(sweepField),
  sustained: v.nullable(sustainedField),
  verdict,
});

/** Histories on disk have reports of version 2, whose verdict had the median decide, and knew neither sweep nor sustained rate. */
const secondReport = v.pipe(
  v.object({
    schemaVersion: v.literal(2),
    ...entries,
    shape: v.object({ replayOf, ...shapeEntries }),
    verdict: v.object({ interval, caveats }),
  }),
  v.transform(({ verdict: before, ...report }) => ({ ...judgedAgain(report, before) })),
);

/** Of version 1, in which two fields had other names. */
const firstReport = v.pipe(
  v.object({
    schemaVersion: v.literal(1),
    ...entries,
    shape: v.object({ like: replayOf, ...shapeEntries }),
    verdict: v.object({ interval, cannotConclude: caveats }),
  }),
  v.transform(({ shape: { like, ...shape }, verdict: { interval: given, cannotConclude }, ...report }) => ({
    ...judgedAgain({ ...report, shape: { replayOf: like, ...shape } }, { interval: given, caveats: cannotConclude }),
  })),
);

const bandwidthReport = v.variant('schemaVersion', [currentReport, secondReport, firstReport]);

/** An earlier report with the verdict that its numbers have now. */
function judgedAgain(
  report: Omit<MeasuredReport, 'schemaVersion' | 'sweep' | 'sustained'> & { schemaVersion: number },
  before: { interval: { seconds: number; isAssumed: boolean }; caveats: readonly Caveat[] },
): BandwidthReport {
  const measured: MeasuredReport = { ...report, schemaVersion: 3, sweep: null, sustained: null };
  const isAlone = !before.caveats.some((caveat) => caveat.code === 'other-check');
  const { seconds, isAssumed } = before.interval;
  return { ...measured, verdict: verdictOf(measured, isAssumed ? null : seconds, caveatsOf(measured, isAlone)) };
}

/** Null for anything but a report. Earlier versions become the current one; unknown fields are ignored. */
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
