/** Traffic without a rhythm, of seeded generators: none of it is a job, however many of its bursts are of one size, and a job within it is one. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { createRandom } from '../../../../src/core/datasets/text/random.js';
import { telemetryOf } from '../../../../src/core/runs/telemetry/inputs/samples.js';
import { candidatesOf } from '../../../../src/core/runs/telemetry/candidates.js';
import { telemetryReport, type TelemetryReport } from '../../../../src/core/runs/telemetry/telemetryReport.js';

const stepSeconds = 15;
const stepsPerHour = 3600 / stepSeconds;
const beginMs = 1.7e12;

type Random = () => number;

/** Normally distributed (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function rates(hours: number, rate: () => number): number[] {
  return Array.from({ length: hours * stepsPerHour }, rate);
}

/** With a job that saves every 1800 s for 60 s. */
function withJob(write: number[], bytes: number): number[] {
  return write.map((rate, step) => rate + (step % 120 >= 20 && step % 120 < 24 ? bytes / 60 : 0));
}

/** With bursts at any time, of up to 300 s. */
function withBursts(write: number[], count: number, random: Random): number[] {
  const added = [...write];
  for (let burst = 0; burst < count; burst += 1) {
    const [first, steps, rate] = [
      Math.floor(random() * (write.length - 20)),
      1 + Math.floor(random() * 20),
      1e8 + random() * 2e9,
    ];
    for (let step = first; step < first + steps; step += 1) added[step] = (added[step] as number) + rate;
  }
  return added;
}

function reportOf(write: number[]): TelemetryReport {
  const timesMs = write.map((_rate, step) => beginMs + step * stepSeconds * 1000);
  return telemetryReport('a.csv', telemetryOf({ source: 'CSV', form: 'rate-from', timesMs, write, read: null, notes: [] }));
}

/** Saves that are within 60 s of none of the job. */
function inventedOf({ jobs }: TelemetryReport): number {
  const stepOf = (ms: number) => (ms - beginMs) / (stepSeconds * 1000);
  const saves = jobs.flatMap((job) => job.saves);
  return saves.filter(({ startedMs, finishedMs }) => Math.abs((stepOf((startedMs + finishedMs) / 2) % 120) - 22) > 4).length;
}

const seeds = [1, 2, 3];

const quiet: [string, (random: Random) => number[]][] = [
  ['of a Pareto distribution', (random) => rates(24, () => Math.min(5e9, 3e7 * (1 - random()) ** (-1 / 1.3)))],
  ['of a normal distribution', (random) => rates(24, () => 3e8 * Math.max(0, 1 + normal(random)))],
  ['of a log-normal distribution', (random) => rates(24, () => 1e8 * Math.exp(normal(random)))],
  [
    'of 80 bursts',
    (random) =>
      withBursts(
        rates(48, () => 1e6 * (1 + 0.1 * random())),
        80,
        random,
      ),
  ],
];

describe.each(quiet)('traffic %s', (_name, write) => {
  it.each(seeds)('is no job: seed %i', (seed) => {
    expect(reportOf(write(createRandom(seed))).jobs).toEqual([]);
  });
});

describe('a job among bursts that come at any time', () => {
  it.each(seeds)('is found alone: seed %i', (seed) => {
    const random = createRandom(seed);
    const report = reportOf(
      withJob(
        rates(24, () => 5e8 * Number(random() < 0.3) * random()),
        200e9,
      ),
    );
    expect(report.jobs).toHaveLength(1);
    expect(inventedOf(report)).toBe(0);
    expect(report.jobs[0]?.saves).toHaveLength(48);
    expect((report.jobs[0]?.medianIntervalSeconds ?? 0) / 1800).toBeCloseTo(1, 2);
    expect((report.jobs[0]?.medianBytes ?? 0) / 200e9).toBeCloseTo(1, 1);
  });

  it.each(seeds)('that are about as large is found, or nothing is, and the report says so: seed %i', (seed) => {
    const random = createRandom(seed);
    const noise = rates(48, () => 3e8 * Math.max(0, 1 + normal(random)));
    const report = reportOf(withBursts(withJob(noise, 50e9), 40, random));
    expect(inventedOf(report)).toBe(0);
    expect(report.coverage.notes.join()).toMatch(
      /^bursts of no job take \d.* % of the time.* cannot be distinguished from other traffic$/,
    );
  });
});

describe('bursts that come so often that chance makes intervals among them', () => {
  it('are uncertain, with that reason', () => {
    const random = createRandom(1);
    const { uncertain, coverage } = reportOf(rates(24, () => Math.min(5e9, 3e7 * (1 - random()) ** (-1 / 1.3))));
    const common = uncertain.filter(
      ({ why }) => why === 'bursts of this size come so often that an interval among them may be chance',
    );
    expect(common.length).toBeGreaterThan(uncertain.length / 2);
    expect(coverage.notes.join()).toContain('cannot be distinguished from other traffic');
  });
});

it('asks no more than limits.telemetryTimes times, the likeliest', () => {
  const random = createRandom(9);
  const values = Float64Array.from({ length: 40_000 }, (_value, index) => (index % 8 === 0 ? 2 + random() : 0));
  const gains = { beginMs, everyMs: 1000, values, room: values };
  const asked = candidatesOf(gains, 4000, limits.telemetryTimes);
  expect(asked.length).toBeLessThanOrEqual(limits.telemetryTimes);
  const least = asked.reduce((lowest, { gain }) => Math.min(lowest, gain), Infinity);
  expect(values.filter((value) => value > least).length).toBeLessThanOrEqual(limits.telemetryTimes);
});
