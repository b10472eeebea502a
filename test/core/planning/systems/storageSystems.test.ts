/** The data of storage systems: complete, sourced, and what sizing and the providers' documentation say. */
import { describe, expect, it } from 'vitest';
import { failureClasses } from '../../../../src/core/planning/systems/storageSystem.js';
import {
  systemIds,
  objectSystemChoices,
  objectSystemIds,
  storeSystemChoices,
  storeSystemIds,
} from '../../../../src/core/planning/systems/systemNames.js';
import { storageSystems, systemOf } from '../../../../src/core/planning/systems/storageSystems.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const TiB = 2 ** 40;
const roles = ['burst buffer', 'recent checkpoints', 'milestones', 'golden copies', 'datasets', 'offload'];

describe('data of storage systems', () => {
  it('has every system once', () => {
    expect(storageSystems.map(({ id }) => id).sort()).toEqual([...systemIds].sort());
    expect(new Set(storageSystems.map(({ name }) => name)).size).toBe(systemIds.length);
  });

  it.each(storageSystems.map((system) => [system.id, system] as const))('%s is complete and sourced', (_, system) => {
    const { sources, burst, sustained, objects, price, levels } = system;
    for (const { of, text, date, evidence } of sources) {
      expect(of).not.toBe('');
      expect(text).not.toBe('');
      expect(date).toMatch(/^20\d\d(-(0[1-9]|1[0-2]))?$/);
      expect(['primary', 'secondary', 'recalled']).toContain(evidence);
    }
    const sourced = (words: string[]) => sources.some(({ of }) => words.some((word) => of.includes(word)));
    expect(sourced(['latency', 'rates and latency'])).toBe(true);
    if (sustained !== null) expect(sourced(['bandwidth', 'levels'])).toBe(true);
    if (burst !== null) expect(sourced(['burst'])).toBe(true);
    if (objects !== null) expect(sourced(['object size', 'parts', 'rates'])).toBe(true);
    if (price !== null) {
      expect(sourced(['price'])).toBe(true);
      expect(price.date).toMatch(/^20\d\d(-\d\d)?$/);
      expect(price.perGBMonth).toBeGreaterThan(0);
    }
    expect(system.roles.length).toBeGreaterThan(0);
    for (const role of system.roles) expect(roles).toContain(role);
    expect(system.survives).toEqual(failureClasses.filter((name) => system.survives.includes(name)));
    expect(system.latencySeconds[0]).toBeLessThan(system.latencySeconds[1]);
    expect(system.strengths.length).toBeGreaterThan(0);
    expect(system.weaknesses.length).toBeGreaterThan(0);
    expect(system.limits.length).toBeGreaterThan(0);
    const speeds = levels.map(({ bytesPerSecondPerTiB }) => bytesPerSecondPerTiB);
    expect(speeds).toEqual([...speeds].sort((a, b) => a - b));
  });

  it('has data and a name for every choice of the plan', () => {
    for (const { value, label } of [...storeSystemChoices, ...objectSystemChoices])
      if (value !== 'none') expect(label).toBe(systemOf(value).name);
    for (const id of storeSystemIds) expect(systemOf(id).survives).toContain(id === 'local-nvme' ? 'process' : 'node');
    for (const id of objectSystemIds) expect(systemOf(id).objects).not.toBeNull();
  });

  it('says what the documentation says', () => {
    expect(systemOf('s3-standard').objects).toMatchObject({
      mostParts: 10_000,
      smallestPartBytes: 5 * MiB,
      largestPartBytes: 5 * GiB,
    });
    expect((systemOf('s3-standard').objects?.largestObjectBytes ?? 0) / TiB).toBeCloseTo(48.8, 1);
    expect(systemOf('s3-standard').objects).toMatchObject({ writesPerSecond: 3500, readsPerSecond: 5500 });
    expect(systemOf('s3-express').objects).toMatchObject({ writesPerSecond: 100_000, readsPerSecond: 200_000 });
    expect((systemOf('azure-blob').objects?.largestObjectBytes ?? 0) / TiB).toBeCloseTo(190.7, 1);
    // 60 and 200 Gb/s.
    expect(systemOf('azure-blob').sustained).toMatchObject({ writeBytesPerSecond: 60e9 / 8, readBytesPerSecond: 200e9 / 8 });
    const levels = systemOf('gcp-managed-lustre').levels;
    expect((levels[0]?.largestBytes ?? 0) / 2 ** 50).toBeCloseTo(80.1, 1);
    expect(levels.at(-1)?.leastBytes).toBe(9000 * GiB);
    // What it costs to get 1 GB/s for a month at each level: sizing.md section 5.
    const perGigabytePerSecond = systemOf('fsx-lustre').levels.map(
      ({ bytesPerSecondPerTiB, perGiBMonth }) => ((1e9 / bytesPerSecondPerTiB) * TiB * (perGiBMonth ?? 0)) / GiB,
    );
    expect(perGigabytePerSecond.map(Math.round)).toEqual([1188, 860, 696, 614]);
  });
});
