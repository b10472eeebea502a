/** Plans by chance as people have them: sizes, clusters, storage and prices of their usual orders, each given or left to the plan. */
import fc from 'fast-check';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { readInputs } from '../../src/core/planning/inputs/planInputs.js';
import { gpuChoices } from '../../src/core/planning/training/gpuModels.js';
import { storeSystemIds } from '../../src/core/planning/systems/systemNames.js';
import { planDocument } from './randomPlan.js';

/** Of every order of magnitude alike. */
function between(least: number, most: number): fc.Arbitrary<number> {
  return fc.double({ min: 0, max: 1, noNaN: true }).map((place) => least * (most / least) ** place);
}

const whole = (least: number, most: number): fc.Arbitrary<number> => between(least, most).map(Math.round);
const powerOf2 = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most }).map((power) => 2 ** power);

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Given in about half of the plans. */
const inputs = {
  gpu: fc.constantFrom(...gpuChoices.map(({ value }) => value)),
  gpuPricePerHour: between(0.5, 10),
  zeroStage: fc.constantFrom('0', '1', '2', '3'),
  saveMode: fc.constantFrom('synchronous', 'asynchronous', 'multi-level'),
  intervalSeconds: between(minute, day),
  stepSeconds: between(0.1, 60),
  stallSeconds: between(0.1, 120),
  fixedStallSeconds: between(0.1, 30),
  graceSeconds: fc.constantFrom(30, 120, 300),
  failureRate: fc.constantFrom('llama3', 'rsc-1', 'rsc-2', 'mlcommons'),
  mtbfSeconds: between(hour, 60 * day),
  restartSeconds: between(minute, hour),
  reclaimSeconds: between(hour, 10 * day),
  acceptableLossSeconds: between(5 * minute, 8 * hour),
  walltimeSeconds: between(hour, 7 * day),
  store: fc.constantFrom(...storeSystemIds),
  writeBytesPerSecond: between(1e8, 1e12),
  readBytesPerSecond: between(1e8, 1e12),
  storePricePerGBps: between(50, 5000),
  storeCapitalDollars: between(1e4, 1e8),
  storeCapacityBytes: whole(1e12, 1e16),
  storeUsedBytes: whole(1e11, 1e15),
  storageWattsPerGBps: between(5, 500),
  energyPricePerKilowattHour: between(0.03, 0.5),
  gpuCapitalDollars: between(5000, 60_000),
  jobs: fc.integer({ min: 1, max: 8 }),
  clientBytesPerSecond: between(1e9, 1e11),
  networkBytesPerSecond: between(1e9, 1e11),
  nvmeWriteBytesPerSecond: between(1e9, 5e10),
  nvmeCapacityBytes: whole(1e12, 1e14),
  hostMemoryBytes: whole(2.5e11, 4e12),
  objectStore: fc.constantFrom('s3-standard', 'gcs-standard', 'none'),
  keepLast: fc.integer({ min: 0, max: 20 }),
  keepEvery: fc.integer({ min: 0, max: 50 }),
  runSeconds: between(day, 120 * day),
} as const;

/** A job of its parallel sizes and the other inputs, of which about one in six is given. */
export const realisticDocument: fc.Arbitrary<PlanDocument> = fc
  .record({
    job: fc.record({ parameters: whole(1e9, 2e12), tensor: powerOf2(3), pipeline: powerOf2(4), data: whole(1, 512) }),
    given: fc.record(
      Object.fromEntries(
        Object.entries<fc.Arbitrary<unknown>>(inputs).map(([key, value]) => [key, fc.option(value, { freq: 2, nil: undefined })]),
      ),
    ),
    isFew: fc.boolean(),
    chance: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 40, maxLength: 40 }),
  })
  .map(({ job, given, isFew, chance }) => {
    const { parameters, tensor, pipeline, data } = job;
    const values: Record<string, unknown> = {
      parameters,
      gpus: tensor * pipeline * data,
      tensorParallel: tensor,
      pipelineParallel: pipeline,
    };
    for (const [index, [key, value]] of Object.entries(given).entries())
      if (value !== undefined && (!isFew || chance[index % chance.length] === 0)) values[key] = value;
    const read = readInputs(values);
    if (read.problems.length > 0) throw new Error(`${read.problems[0]?.key}: ${read.problems[0]?.text}`);
    return planDocument(read.inputs);
  });
