/** Sites files: what cannot be used is reported by its key, the rest is used, and a plan takes what they have where it is not given. */
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { sitesFileSchema } from '../../../../scripts/generate/sitesFileSchema.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { planReport } from '../../../../src/core/pages/plan/planReport.js';
import { inputOrigin } from '../../../../src/core/planning/inputs/inputOrigin.js';
import type { PlanDocument } from '../../../../src/core/planning/inputs/planDocument.js';
import { writePlanFile } from '../../../../src/core/planning/inputs/writePlanFile.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { readSitesFile, type SitesFile } from '../../../../src/core/planning/inputs/sitesFile.js';
import { bandwidthPricePerMonth } from '../../../../src/core/planning/money/bandwidthPrice.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { suppliedBy } from '../../../../src/core/planning/systems/ownSystems.js';
import { monthSeconds } from '../../../../src/core/planning/systems/storageSystem.js';
import { planDocument } from '../../../builders/randomPlan.js';

const textOf = (file: object) => JSON.stringify({ kind: 'stowage-sites', schemaVersion: 1, ...file });
const read = (file: object): { sites: SitesFile; problems: { key: string; text: string }[] } => {
  const found = readSitesFile(textOf(file));
  if ('failure' in found) throw new Error(found.failure);
  return found;
};
const validate = new Ajv({ allErrors: true }).compile(sitesFileSchema());

/** Whose own problems are by key. */
const keysOf = (file: object) => read(file).problems.map(({ key }) => key);

describe('reading a sites file', () => {
  it('takes amounts, and those of what a system is based on', () => {
    const { sites, problems } = read({
      site: 'on-premises',
      store: 'scratch',
      systems: {
        scratch: { basedOn: 'array', writeBytesPerSecond: 8e9 },
        array: { basedOn: 'lustre', writeBytesPerSecond: 1e9, capacityBytes: 1e15 },
        's3-standard': { pricePerGBMonth: 0.02 },
      },
    });
    expect(problems).toEqual([]);
    expect(sites.systems.map(({ name, base, amounts }) => [name, base, amounts])).toEqual([
      ['scratch', 'lustre', { writeBytesPerSecond: 8e9, capacityBytes: 1e15 }],
      ['array', 'lustre', { writeBytesPerSecond: 1e9, capacityBytes: 1e15 }],
      ['s3-standard', 's3-standard', { pricePerGBMonth: 0.02 }],
    ]);
  });

  it.each([
    [
      'a negative price',
      { systems: { a: { basedOn: 'nfs', pricePerGBMonth: -1 } } },
      'systems.a.pricePerGBMonth',
      'must not be below 0',
    ],
    ['an unknown amount', { systems: { a: { basedOn: 'nfs', colour: 3 } } }, 'systems.a.colour', 'is no key of a system'],
    [
      'an amount of a prototype',
      { systems: { a: { basedOn: 'nfs', toString: 3 } } },
      'systems.a.toString',
      'is no key of a system',
    ],
    [
      'text for a number',
      { systems: { a: { basedOn: 'nfs', capacityBytes: '1 TB' } } },
      'systems.a.capacityBytes',
      'must be a number',
    ],
    ['no life', { systems: { a: { basedOn: 'nfs', lifetimeYears: 0 } } }, 'systems.a.lifetimeYears', 'must be at least 0.1'],
    ['no base', { systems: { a: {} } }, 'systems.a.basedOn', 'must name a system'],
    ['a base that there is not', { systems: { a: { basedOn: 'b' } } }, 'systems.a.basedOn', 'leads to b, which is no system'],
    [
      'memory as a base',
      { systems: { a: { basedOn: 'host-memory' } } },
      'systems.a.basedOn',
      'leads to host-memory, which is no system',
    ],
    ['itself as a base', { systems: { a: { basedOn: 'a' } } }, 'systems.a.basedOn', 'leads to a, which is no system'],
    [
      'another base of a known system',
      { systems: { nfs: { basedOn: 'lustre' } } },
      'systems.nfs.basedOn',
      'cannot be another one for a known system',
    ],
    ['a list for a system', { systems: { a: [] } }, 'systems.a', 'must be an object'],
    ['a list of systems', { systems: [] }, 'systems', 'must be an object'],
    ['an unknown key', { sistems: {} }, 'sistems', 'is no key of a sites file'],
    ['an unknown site', { site: 'moon' }, 'site', 'must be one of on-premises, aws, google, azure'],
    ['a storage that there is not', { store: 'scratch' }, 'store', 'names no system'],
    ['an archive as the storage', { store: 'archive' }, 'store', 'names no system'],
    ['a negative price of power', { pricePerKilowattHour: -1 }, 'pricePerKilowattHour', 'must not be below 0'],
  ])('reports %s by its key and uses the rest', (_, file, key, text) => {
    const good = { good: { basedOn: 'weka', capacityBytes: 1e12 } };
    const systems = 'systems' in file && !Array.isArray(file.systems) ? { ...file.systems, ...good } : undefined;
    const whole = systems === undefined ? { systems: good, ...file } : { ...file, systems };
    const { sites, problems } = read(whole);
    expect(problems).toEqual([{ key, text }]);
    if (!('systems' in file && Array.isArray(file.systems))) expect(sites.systems.map(({ name }) => name)).toContain('good');
  });

  it('ends where systems are based on one another in a circle', () => {
    const systems: Record<string, object> = { good: { basedOn: 'lustre' }, into: { basedOn: 's0' } };
    for (let index = 0; index < 900; index += 1) systems[`s${index}`] = { basedOn: `s${(index + 1) % 900}` };
    const { sites, problems } = read({ systems });
    expect(sites.systems.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toHaveLength(901);
    expect(new Set(problems.map(({ text }) => text))).toEqual(new Set(['leads back to where it was']));
  });

  it('is bounded', () => {
    expect(readSitesFile(' '.repeat(limits.sitesCharacters + 1))).toHaveProperty('failure');
    const many = Object.fromEntries(
      Array.from({ length: limits.sitesSystems + 1 }, (_, index) => [`s${index}`, { basedOn: 'nfs' }]),
    );
    expect(keysOf({ systems: many })).toEqual(['systems']);
    expect(read({ systems: many }).sites.systems).toHaveLength(limits.sitesSystems);
  });

  it.each(['', 'null', '[]', '{}', '{"kind":"stowage-plan"}', '{"kind":"stowage-sites","schemaVersion":2}'])(
    'refuses %s',
    (text) => {
      expect(readSitesFile(text)).toHaveProperty('failure');
    },
  );

  it('takes what its schema takes', () => {
    for (const file of [{}, { systems: { a: { basedOn: 'nfs', powerWatts: 0 } } }, { site: 'aws', pricePerKilowattHour: 0.1 }]) {
      expect(validate(JSON.parse(textOf(file)))).toBe(true);
      expect(keysOf(file)).toEqual([]);
    }
    for (const file of [
      { site: 'moon' },
      { systems: { a: { colour: 1 } } },
      { systems: { a: { basedOn: 'nfs', powerWatts: -1 } } },
      { x: 1 },
    ]) {
      expect(validate(JSON.parse(textOf(file)))).toBe(false);
      expect(keysOf(file)).not.toEqual([]);
    }
  });
});

describe('a plan with a sites file', () => {
  const file = {
    site: 'on-premises',
    store: 'scratch',
    pricePerKilowattHour: 0.1,
    systems: {
      scratch: {
        basedOn: 'lustre',
        writeBytesPerSecond: 8e9,
        readBytesPerSecond: 9e9,
        capacityBytes: 1e15,
        quotaBytes: 50e12,
        capitalDollars: 600_000,
        lifetimeYears: 5,
        powerWatts: 10_000,
      },
      array: { basedOn: 'lustre' },
      vault: {
        basedOn: 's3-standard',
        pricePerGBMonth: 0.005,
        pricePer1000Writes: 0,
        pricePerGBRead: 0.01,
        pricePer1000Reads: 0,
      },
    },
  };
  const documentOf = (inputs: Partial<PlanInputs>, names: { store?: string; objectStore?: string } = {}): PlanDocument => {
    const given = { checkpointBytes: 1e12, gpus: 64, zeroStage: '3' as const, ...inputs };
    const named = { sites: read(file).sites, store: names.store ?? null, objectStore: names.objectStore ?? null };
    return { ...planDocument(given), supplied: suppliedBy(named, given) };
  };

  it('takes what is not given, with its origin', () => {
    const document = documentOf({ readBytesPerSecond: 5e9 });
    const plan = makePlan(document);
    expect(plan.inputs).toMatchObject({
      site: 'on-premises',
      store: 'lustre',
      objectStore: 'none',
      writeBytesPerSecond: 8e9,
      readBytesPerSecond: 5e9,
      storeCapacityBytes: 50e12,
    });
    const month = 600_000 / 60 + 10 * (monthSeconds / 3600) * 0.1;
    expect(plan.inputs.storePricePerGBMonth).toBeCloseTo(month / 1e6, 9);
    expect(bandwidthPricePerMonth(plan.inputs)).toBeCloseTo(month / 8, 6);
    // What was paid is not saved by using less of it.
    expect(plan.frontier.points.map(({ storagePerMonth }) => storagePerMonth)[0]).toBeGreaterThan(600_000 / 60);
    expect(plan.frontier.cheaper).toBeNull();
    expect(inputOrigin(document, 'writeBytesPerSecond')).toEqual({ kind: 'site', text: 'scratch' });
    expect(inputOrigin(document, 'readBytesPerSecond')).toBeUndefined();
    expect(planReport(plan, planPage(plan, document), document, []).origins['store']).toEqual({ kind: 'site', text: 'scratch' });
    expect(writePlanFile(document)).not.toContain('scratch');
  });

  it('calls the storage by its name, at hand before all that would be bought', () => {
    const document = documentOf({});
    const plan = makePlan(document);
    expect(planPage(plan, document).recommendation.join(' ')).toContain('scratch is at hand and enough');
    const [first, ...others] = plan.guidance.verdicts;
    expect(first).toMatchObject({ name: 'scratch', isAtHand: true, isEnough: true, write: { bytesPerSecond: 8e9 } });
    // The kind that it is of has none of its numbers.
    expect(others.find(({ name, system }) => name === null && system.id === 'lustre')?.write.bytesPerSecond).toBe(10e12);
    expect(others.find(({ name }) => name === 'array')?.write.bytesPerSecond).toBe(10e12);
  });

  it('gives way to a storage that the plan names', () => {
    const { inputs, guidance } = makePlan(documentOf({ store: 'nfs' }));
    expect(inputs).toMatchObject({ store: 'nfs', writeBytesPerSecond: null, storeCapacityBytes: null });
    expect(guidance.verdicts.some(({ name }) => name === 'scratch')).toBe(true);
  });

  it('charges the prices of the file for requests and reading back', () => {
    const plan = makePlan(documentOf({ keepEvery: 5, siteFailureShare: 0, intervalSeconds: 3600 }, { objectStore: 'vault' }));
    const vault = plan.cost.places.find(({ place }) => place === 'object');
    expect(vault).toMatchObject({ requestsForRun: 0, priceBasis: 'given', priceDate: null });
    expect(vault?.perRestore).toBeCloseTo(1000 * 0.01, 9);
    expect(vault?.perMonth).toBeCloseTo(((vault?.paidBytes ?? 0) / 1e9) * 0.005, 9);
    expect(vault?.system.name).toBe('vault');
  });

  it('changes the prices of a known system that the plan takes by its own name', () => {
    const { sites } = read({ systems: { 's3-standard': { pricePer1000Writes: 1 } } });
    const inputs: Partial<PlanInputs> = { checkpointBytes: 1e12, gpus: 64, zeroStage: '3', keepEvery: 5, intervalSeconds: 3600 };
    const at = (document: PlanDocument) => makePlan(document).cost.places.find(({ place }) => place === 'object');
    const known = at(planDocument(inputs));
    const own = at({ ...planDocument(inputs), supplied: suppliedBy({ sites, store: null, objectStore: null }, inputs) });
    expect(own?.requestsForRun).toBeCloseTo(((known?.requestsForRun ?? 0) / 0.005) * 1, 4);
    // A GiB for $0.023, as it was.
    expect(own?.perMonth).toBeCloseTo(known?.perMonth ?? 0, 6);
  });

  it('caps the bandwidth by what one file takes', () => {
    const { save, size } = makePlan(documentOf({ writeBytesPerSecond: 8e9, fileBytesPerSecond: 50e6 }));
    // Each of 64 GPUs writes a file of weights, and a larger one of the rest.
    const largestFileBytes = (size.checkpointBytes - size.weightBytes) / 64;
    expect(save.writeBytesPerSecond).toBeCloseTo((size.checkpointBytes / largestFileBytes) * 50e6, 0);
    expect(save.bandwidthBasis).toBe('nodes');
  });
});
