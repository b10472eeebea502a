/** What `stowage plan --json` answers: the table in docs/plan.md, and the descriptions in docs/plan-report.schema.json. */
import type { PlanAnswers } from '../../src/core/pages/plan/planReport.js';

interface AnswerWords {
  what: string;
  /** Empty for what has none. */
  unit: string;
}

/** In the order of the report. A new answer does not compile without its words. */
export const planAnswers: Readonly<Record<keyof PlanAnswers, AnswerWords>> = {
  checkpointBytes: { what: 'a full checkpoint', unit: 'bytes' },
  weightBytes: { what: 'an export for inference', unit: 'bytes' },
  bytesPerParameter: { what: 'of a full checkpoint, for each parameter', unit: 'bytes' },
  parts: { what: 'what the checkpoint is made of; they sum to it', unit: 'bytes' },
  topology: { what: 'nodes, and how the model is spread over GPUs', unit: 'numbers' },
  writers: { what: 'GPUs and nodes that write, files of a save, the largest share', unit: 'numbers, bytes' },
  saveSeconds: { what: 'duration of a save, from the first byte to the last on the shared storage', unit: 's' },
  stallSeconds: { what: 'how long training stands still for a save', unit: 's' },
  overlap: {
    what: '`saveSeconds` ÷ interval: the share of time in which a save is being written; above 1 saves pile up',
    unit: 'share of 1',
  },
  region: { what: 'what the overlap means: `impossible`, `slow`, `good` or `wasted`', unit: '' },
  requiredBytesPerSecond: {
    what: 'write bandwidth that keeps the overlap at `overlapTarget`: size ÷ (overlap × interval)',
    unit: 'bytes/s',
  },
  leastBytesPerSecond: { what: 'write bandwidth below which saves pile up: size ÷ interval', unit: 'bytes/s' },
  writeBytesPerSecond: { what: 'write bandwidth: given, all that the nodes carry, or what is worth its money', unit: 'bytes/s' },
  readBytesPerSecond: { what: 'read bandwidth: given, or what writing and one restore need', unit: 'bytes/s' },
  mtbfSeconds: { what: 'mean time between failures of the whole job', unit: 's' },
  intervalSeconds: { what: 'training time between two saves: `young`, `daly`, `exact`, and the one that is `used`', unit: 's' },
  shares: { what: 'time in training, standing still, repeating, restarting; sums to 1', unit: 'shares of 1' },
  restore: {
    what: 'each way of reading back: volume, time, bandwidth that is needed; `asFastAsSavingBytesPerSecond`',
    unit: 'bytes, s, bytes/s',
  },
  levels: { what: 'what each level survives, how often it gets a save, what each kind of failure loses', unit: 's, shares of 1' },
  study: {
    what: '`goodput`, the share of time that trains, at other intervals, and with more bandwidth, more failures, a shorter stall',
    unit: 's, shares of 1',
  },
  frontier: {
    what: 'bandwidths from a sixteenth to sixteen times the plan’s, each with its best interval: time that trains, GPU time lost and storage paid a month; `worthGpus` and `worthGpusByPower`, GPUs that cost and draw as much as the plan’s storage',
    unit: 'bytes/s, s, shares of 1, US$, W',
  },
  emergency: { what: 'whether a save fits the grace period, on each level', unit: 's, bytes' },
  settings: {
    what: 'the way of saving in the settings of the framework (`framework`), to paste; null without one',
    unit: 'steps',
  },
  retention: {
    what: 'saves, `writtenBytes` (saves × checkpoint), `allWrittenBytes` (with exports and copies), what stays where',
    unit: 'bytes',
  },
  quota: {
    what: 'the room that there is, what of it is used, and when it is full: as the plan keeps checkpoints, and where nothing is removed; null where as much is bought as is needed',
    unit: 'bytes, s',
  },
  advised: {
    what: 'where another interval is advised than the given one: it, and what follows from it, as above; what to do, room and settings are of it; null where it is the given one',
    unit: 's, as above',
  },
  growth: { what: 'what saves come to by the end of each of four quarters of a year where nothing is removed', unit: 'bytes, s' },
  cost: { what: 'cost of each place: a month, the run, requests, egress, restores', unit: 'US$' },
  requests: {
    what: 'parts and requests of one checkpoint in the object store; null without an object store',
    unit: 'numbers, bytes',
  },
  deletion: { what: 'which checkpoints of a run go, and why; null without checkpoints', unit: 'bytes' },
  tiers: { what: 'where a save goes, how often, what stays there', unit: 'numbers, s' },
  guidance: { what: 'every storage system judged by this plan, 0 to 100 points', unit: 'points, bytes/s, US$' },
  feed: { what: 'reading the dataset', unit: 'tokens/s, bytes/s' },
  memory: { what: 'memory of one GPU, with each ZeRO stage and with adapters', unit: 'bytes' },
  offload: { what: 'what each kind of offload moves at every step', unit: 'bytes, s' },
  sensitivity: { what: 'time that is lost when an input is halved or doubled', unit: 'shares of 1' },
  risks: {
    what: 'of values that are given, what costs most GPU time, and what removes it: the worst first, at most three',
    unit: '',
  },
  decision: {
    what: 'the numbers behind the headline: `wanted` is how to save (as planned, or at the interval that is `better` than the given one), what twice the bandwidth gives, what is lost to what',
    unit: 's, bytes/s, shares of 1, US$',
  },
  headline: { what: 'the decision, in a sentence', unit: '' },
  numbers: { what: 'the three numbers of the first page, each with its `section`', unit: '' },
  actions: { what: 'what to do, the most important first, at most three; some with lines to paste', unit: '' },
  recommendation: { what: 'the headline and its reasons', unit: '' },
  impossible: { what: 'what cannot work, with the smallest change that helps', unit: '' },
};

/** Each answer with its unit. */
export function planAnswerTable(): string {
  const rows = Object.entries(planAnswers).map(([key, { what, unit }]) => `| \`${key}\` | ${what} | ${unit} |`);
  return ['| answer | what | unit |', '| --- | --- | --- |', ...rows].join('\n');
}

/** An answer as a schema describes it: a sentence and its unit. */
export function answerDescription({ what, unit }: AnswerWords): string {
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}.`.replaceAll('`', '');
  return unit === '' ? sentence : `${sentence} Unit: ${unit}.`;
}
