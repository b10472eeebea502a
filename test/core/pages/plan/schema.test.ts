/** docs/plan-report.schema.json is the contract: every report of every plan has just these fields. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanDocument } from '../../../../src/core/planning/inputs/planDocument.js';
import { documentOfPreset, planPresets } from '../../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { planReport, planToJson } from '../../../../src/core/pages/plan/planReport.js';
import { readSitesFile } from '../../../../src/core/planning/inputs/sitesFile.js';
import { suppliedBy } from '../../../../src/core/planning/systems/ownSystems.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';
import { runs } from '../../../builders/seed.js';

const validate = compileSchemaFile('docs/plan-report.schema.json');

/** As it is printed. */
function printed(document: PlanDocument): unknown {
  const plan = makePlan(document);
  const problems = [{ key: 'gpu', text: 'is no input of a plan' }];
  return JSON.parse(planToJson(planReport(plan, planPage(plan, document), document, problems)));
}

const errorsOf = (report: unknown): string[] => schemaErrors(validate, report);

const saved = [1, 2, 3, 4].map((step) => ({
  path: `checkpoint-${step}`,
  step: step === 2 ? null : step,
  bytes: 112e9,
  savedAtSeconds: step === 3 ? null : 1.7e9 + step,
  isFinished: step !== 3,
  isLatest: step === 4,
}));

/** Has every part that a plan may lack. */
const fullDocument: PlanDocument = {
  ...planDocument({
    gpus: 100,
    checkpointBytes: 112e9,
    saveMode: 'multi-level',
    secondRegion: true,
    offload: 'all-nvme',
    store: 'fsx-lustre',
    exportEvery: 10,
    keepEvery: 20,
    storeCapacityBytes: 5e11,
  }),
  origins: { checkpointBytes: { kind: 'measured', text: 'checkpoint-4' }, gpus: { kind: 'set', text: '' } },
  measured: [
    { label: 'weights', bytes: 16e9, isWeights: true },
    { label: 'optimizer', bytes: 96e9, isWeights: false },
  ],
  saved,
};

describe('what stowage plan prints is valid', () => {
  it.each(planPresets)('of $id', (preset) => {
    expect(errorsOf(printed(documentOfPreset(preset)))).toEqual([]);
  });

  it('of no inputs', () => {
    expect(errorsOf(printed(planDocument({})))).toEqual([]);
  });

  it('of a measured run, multi-level, with a second region and offload', () => {
    expect(errorsOf(printed(fullDocument))).toEqual([]);
  });

  it.each(['synchronous', 'asynchronous', 'multi-level'] as const)('without an object store, %s', (saveMode) => {
    expect(errorsOf(printed(planDocument({ objectStore: 'none', saveMode })))).toEqual([]);
  });

  it('without drives, where offloading never ends', () => {
    const document = planDocument({ nvmeWriteBytesPerSecond: 0, nvmeReadBytesPerSecond: 0, offload: 'all-nvme' });
    const report = printed(document) as { answers: { offload: { planned: { movedSeconds: null } } } };
    expect(report.answers.offload.planned.movedSeconds).toBeNull();
    expect(errorsOf(report)).toEqual([]);
  });

  it('with systems of a sites file', () => {
    const text = JSON.stringify({
      kind: 'stowage-sites',
      schemaVersion: 1,
      store: 'a',
      systems: { a: { basedOn: 'lustre', writeBytesPerSecond: 1e10 } },
    });
    const read = readSitesFile(text);
    if ('failure' in read) throw new Error(read.failure);
    const supplied = suppliedBy({ sites: read.sites, store: null, objectStore: null }, {});
    expect(errorsOf(printed({ ...planDocument({}), supplied }))).toEqual([]);
  });

  it('of any plan', () => {
    const anyDocument = fc.record({ document: randomDocument, hasRun: fc.boolean() });
    fc.assert(
      fc.property(anyDocument, ({ document, hasRun }) => {
        expect(errorsOf(printed(hasRun ? { ...document, saved } : document))).toEqual([]);
      }),
      runs(40, 2000),
    );
  });
});

describe('what differs from it is not', () => {
  const text = JSON.stringify(printed(fullDocument));
  const places = placesIn(JSON.parse(text));

  it('in hundreds of places', () => {
    expect(places.length).toBeGreaterThan(300);
  });

  it.each(places)('$name', ({ path, isEntry }) => {
    const errorsWith = (change: (holder: Record<string, unknown>, key: string) => void) => {
      const report = JSON.parse(text) as unknown;
      const { holder, key } = holderOf(report, path);
      change(holder, key);
      return errorsOf(report);
    };
    // No list has lists in it.
    expect(errorsWith((holder, key) => (holder[key] = Array.isArray(holder[key]) ? {} : []))).not.toEqual([]);
    if (isEntry) return;
    expect(errorsWith((holder, key) => delete holder[key])).not.toEqual([]);
    expect(errorsWith((holder, key) => (holder[`${key} besides`] = holder[key]))).not.toEqual([]);
  });
});

interface Place {
  name: string;
  path: string[];
  /** True where it may be left out: an entry of a list, an origin. */
  isEntry: boolean;
}

/** Every field of a value; of lists those of the first entry. */
function placesIn(value: unknown, path: string[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  const entries = Object.entries(value).slice(0, isList ? 1 : undefined) as [string, unknown][];
  return entries.flatMap(([key, item]) => {
    const own = [...path, key];
    return [{ name: own.join('.'), path: own, isEntry: isList || path.at(-1) === 'origins' }, ...placesIn(item, own)];
  });
}

function holderOf(report: unknown, path: readonly string[]): { holder: Record<string, unknown>; key: string } {
  const holder = path.slice(0, -1).reduce((value, key) => (value as Record<string, unknown>)[key], report);
  return { holder: holder as Record<string, unknown>, key: path.at(-1) ?? '' };
}
