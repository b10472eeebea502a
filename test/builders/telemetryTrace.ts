/**
 * Traces of a file system that several training jobs save to, and the log of what was really written.
 *
 * The model, second by second (of long steps in fifteenths): each job trains for an interval, whose length is normally distributed, then hands a checkpoint to its drain and trains on.
 * A drain moves at the job's rate, which rises and falls over its first and last part and is noisy (log-normal, correlated over some seconds). In half of
 * the traces the file system has a capacity, and drains that would exceed it are slowed in proportion; in the others they add up. A drain may take longer than
 * an interval: then two are under way at once. Jobs begin and end within the trace; one that begins there, or crashed, reads its checkpoint before it trains;
 * a crash loses the work since the last save. Below is background traffic: log-normal and correlated, with the cycle of a day, and with bursts of other
 * traffic at random times (Poisson) and of random sizes (log-normal), written and read. A sample is the mean rate over a step; some are missing, alone
 * or in holes. What was written is logged as it was written: nothing of the trace is told by the detector's own notions of a burst.
 */
import { createRandom } from '../../src/core/datasets/text/random.js';

export interface LoggedTransfer {
  startedMs: number;
  finishedMs: number;
  bytes: number;
}

export interface LoggedJob {
  intervalSeconds: number;
  bytes: number;
  saves: LoggedTransfer[];
  restores: LoggedTransfer[];
}

export interface TelemetryTrace {
  stepSeconds: number;
  timesMs: number[];
  writeBytesPerSecond: number[];
  readBytesPerSecond: number[];
  jobs: LoggedJob[];
  /** Times without samples for longer than three steps, and before and after the trace. */
  holes: { fromMs: number; toMs: number }[];
}

interface Transfer {
  log: LoggedTransfer;
  leftBytes: number;
  totalBytes: number;
  bytesPerSecond: number;
  noise: number;
  isRead: boolean;
}

interface Job {
  log: LoggedJob;
  bytesPerSecond: number;
  jitterShare: number;
  /** Seconds. */
  nextAt: number;
  from: number;
  to: number;
  crashAt: number;
}

const steps = [1, 2, 5, 10, 10, 15, 30, 60, 120, 300];
const startMs = Date.UTC(2026, 2, 2);

export interface TraceOptions {
  jobs?: number;
  stepSeconds?: number;
  /** Whether a job's drains take longer than an interval; without it those of some traces do. */
  slowDrains?: boolean;
}

export function telemetryTrace(seed: number, options: TraceOptions = {}): TelemetryTrace {
  const random = createRandom(seed * 7919 + 13);
  const between = (low: number, high: number) => low + (high - low) * random();
  const logBetween = (low: number, high: number) => Math.exp(between(Math.log(low), Math.log(high)));
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const chance = (share: number) => random() < share;

  const jobCount = options.jobs ?? 1 + Math.floor(random() * 6);
  const stepSeconds = options.stepSeconds ?? steps[Math.floor(random() * steps.length)] ?? 10;
  const leastInterval = Math.max(600, 8 * stepSeconds * Math.sqrt(jobCount));
  const intervals = Array.from({ length: jobCount }, () => logBetween(leastInterval, Math.max(5 * leastInterval, 9000)));
  const longest = Math.max(...intervals);
  const seconds = Math.round(Math.min(longest * between(14, 30), (stepSeconds < 60 ? 3 : 7) * 86_400));
  const isSlow = chance(0.08);
  const slowDrain = (options.slowDrains ?? isSlow) ? Math.floor(random() * jobCount) : -1;
  const jobs = intervals.map((intervalSeconds, index): Job => {
    const bytes = logBetween(30e9, 12e12);
    // Its ramps make a drain longer than its rate says.
    const share = index === slowDrain ? between(1.15, 1.7) : logBetween(0.015, Math.min(0.3, 0.7 / jobCount));
    const begins = chance(0.3);
    const ends = chance(0.3);
    const from = begins ? between(0.05, 0.3) * seconds : -between(0, intervalSeconds);
    return {
      log: { intervalSeconds, bytes, saves: [], restores: [] },
      bytesPerSecond: bytes / Math.max(6, share * intervalSeconds),
      jitterShare: between(0.002, 0.03),
      nextAt: from + intervalSeconds,
      from,
      to: ends ? between(0.7, 0.95) * seconds : Infinity,
      crashAt: chance(0.3) ? between(0.3, 0.7) * seconds : Infinity,
    };
  });
  const rates = jobs.map(({ bytesPerSecond }) => bytesPerSecond).sort((a, b) => a - b);
  const slowest = rates[0] as number;
  const background = slowest * logBetween(0.01, 0.12);
  const [dayShare, dayPhase, spread] = [between(0, 0.6), random(), between(0.08, 0.35)];
  const saveSpread = between(0.03, 0.25);
  const ramp = between(0.02, 0.12);
  // Enough for what is written in all: else drains would pile up.
  const demand = jobs.reduce((sum, { log }) => sum + log.bytes / log.intervalSeconds, 0);
  const capacity = chance(0.5) ? Math.max((rates.at(-1) as number) * between(1.05, 1.6), 2 * demand) : Infinity;
  const othersPerSecond = between(0, 10) / 86_400;

  const cells = Math.floor(seconds / stepSeconds);
  const written = new Float64Array(cells);
  const read = new Float64Array(cells);
  const active: Transfer[] = [];
  const pending: { at: number; run: () => void }[] = [];
  const begin = (at: number, bytes: number, bytesPerSecond: number, isRead: boolean, into: LoggedTransfer[] | null): void => {
    const log = { startedMs: startMs + at * 1000, finishedMs: 0, bytes };
    active.push({ log, leftBytes: bytes, totalBytes: bytes, bytesPerSecond, noise: 0, isRead });
    into?.push(log);
  };
  for (const { from, log, bytesPerSecond } of jobs) {
    const rate = bytesPerSecond * between(1, 3);
    const at = from - log.bytes / rate;
    if (from > 0) pending.push({ at, run: () => begin(Math.max(0, at), log.bytes, rate, true, log.restores) });
  }
  let [writeNoise, readNoise] = [0, 0];
  // Seconds of a move, of which steps have a whole number.
  const tick = Math.max(1, Math.floor(stepSeconds / 15));
  const keep = Math.exp(-tick / 20);
  const renew = Math.sqrt(1 - keep * keep);
  for (let at = 0; at < cells * stepSeconds; at += tick) {
    for (const job of jobs) {
      if (at >= job.crashAt) {
        job.crashAt = Infinity;
        const down = between(180, 1500);
        const rate = job.bytesPerSecond * between(1, 3);
        const restart = at + down;
        // The read begins after the pause; it is scheduled as a transfer of its own.
        pending.push({ at: restart, run: () => begin(restart, job.log.bytes, rate, true, job.log.restores) });
        job.nextAt = restart + job.log.bytes / rate + job.log.intervalSeconds * (1 + job.jitterShare * normal());
      }
      if (at < job.nextAt || at > job.to) continue;
      begin(at, job.log.bytes * (1 + 0.002 * normal()), job.bytesPerSecond, false, job.log.saves);
      job.nextAt += job.log.intervalSeconds * (1 + job.jitterShare * normal());
    }
    for (let index = pending.length - 1; index >= 0; index -= 1)
      if (at >= (pending[index]?.at ?? Infinity)) pending.splice(index, 1)[0]?.run();
    if (random() < othersPerSecond * tick) {
      const like = jobs[Math.floor(random() * jobCount)] as Job;
      begin(at, like.log.bytes * Math.exp(-1.5 + 0.9 * normal()), like.bytesPerSecond * between(0.3, 1), chance(0.3), null);
    }
    writeNoise = writeNoise * keep + spread * renew * normal();
    readNoise = readNoise * keep + spread * renew * normal();
    const day = 1 + dayShare * Math.sin(2 * Math.PI * (at / 86_400 + dayPhase));
    const cell = Math.floor(at / stepSeconds);
    written[cell] = (written[cell] as number) + background * day * Math.exp(writeNoise) * tick;
    read[cell] = (read[cell] as number) + background * 2 * day * Math.exp(readNoise) * tick;
    move(active, at, tick, { written, read, cell, capacity, ramp, saveSpread, keep, renew, normal });
  }
  for (const transfer of active) transfer.log.finishedMs = Infinity;
  return sampled({ stepSeconds, written, read, jobs, random, between, chance });
}

interface Moving {
  written: Float64Array;
  read: Float64Array;
  cell: number;
  capacity: number;
  ramp: number;
  saveSpread: number;
  keep: number;
  renew: number;
  normal: () => number;
}

/** One move of all transfers. */
function move(
  active: Transfer[],
  at: number,
  tick: number,
  { written, read, cell, capacity, ramp, saveSpread, keep, renew, normal }: Moving,
): void {
  let wanted = 0;
  const rates = active.map((transfer) => {
    const done = 1 - transfer.leftBytes / transfer.totalBytes;
    const rising = Math.min(1, 0.25 + done / ramp, 0.25 + (1 - done) / ramp);
    transfer.noise = transfer.noise * keep + saveSpread * renew * normal();
    const rate = transfer.bytesPerSecond * rising * Math.exp(transfer.noise);
    if (!transfer.isRead) wanted += rate;
    return rate;
  });
  const slowed = Math.min(1, capacity / wanted);
  for (let index = active.length - 1; index >= 0; index -= 1) {
    const transfer = active[index] as Transfer;
    const bytes = Math.min(transfer.leftBytes, (rates[index] as number) * (transfer.isRead ? 1 : slowed) * tick);
    transfer.leftBytes -= bytes;
    const into = transfer.isRead ? read : written;
    into[cell] = (into[cell] as number) + bytes;
    if (transfer.leftBytes > 0) continue;
    transfer.log.finishedMs = startMs + (at + tick) * 1000;
    active.splice(index, 1);
  }
}

interface Sampled {
  stepSeconds: number;
  written: Float64Array;
  read: Float64Array;
  jobs: Job[];
  random: () => number;
  between: (low: number, high: number) => number;
  chance: (share: number) => boolean;
}

function sampled({ stepSeconds, written, read, jobs, random, between, chance }: Sampled): TelemetryTrace {
  const cells = written.length;
  const isMissing = new Uint8Array(cells);
  const share = chance(0.5) ? between(0, 0.01) : 0;
  for (let cell = 0; cell < cells; cell += 1) if (random() < share) isMissing[cell] = 1;
  const holes = [
    { fromMs: -Infinity, toMs: startMs },
    { fromMs: startMs + cells * stepSeconds * 1000, toMs: Infinity },
  ];
  for (let left = chance(0.3) ? 2 : 0; left > 0; left -= 1) {
    const first = Math.floor(random() * (cells - 40));
    const length = 4 + Math.floor(random() * 16);
    isMissing.fill(1, first, first + length);
    holes.push({ fromMs: startMs + first * stepSeconds * 1000, toMs: startMs + (first + length) * stepSeconds * 1000 });
  }
  const kept = Array.from({ length: cells }, (_cell, index) => index).filter((cell) => isMissing[cell] === 0);
  return {
    stepSeconds,
    timesMs: kept.map((cell) => startMs + cell * stepSeconds * 1000),
    writeBytesPerSecond: kept.map((cell) => (written[cell] as number) / stepSeconds),
    readBytesPerSecond: kept.map((cell) => (read[cell] as number) / stepSeconds),
    jobs: jobs.map(({ log }) => log),
    holes,
  };
}
