import { describe, expect, it } from 'vitest';
import { fullStorage, unknownRoom, type StorageRoom } from '../../../src/core/runs/storageRoom.js';

const dayMs = 86_400_000;
const run = (owner: string, bytesPerDay: number, filesPerDay = 10) => ({ owners: [owner], bytesPerDay, filesPerDay });
const [ann, bob] = [run('ann', 100), run('bob', 300)];
const fullOf = (one: typeof ann, room: Partial<StorageRoom>, runs = [ann, bob]) => {
  const full = fullStorage(one, runs, { ...unknownRoom, ...room }, 0);
  return full === null ? null : [full.by, full.atMs / dayMs];
};

describe('the storage of runs', () => {
  it('is full as all of them grow', () => {
    expect(fullOf(ann, { freeBytes: 4000 })).toEqual(['bytes', 10]);
    expect(fullOf(ann, { freeBytes: 4000 }, [ann])).toEqual(['bytes', 40]);
  });

  it('is full by what is used up first', () => {
    expect(fullOf(ann, { freeBytes: 4000, freeFiles: 100 })).toEqual(['files', 5]);
    const quota = { usedBytes: 900, limitBytes: 1000, user: 'ann' };
    expect(fullOf(ann, { freeBytes: 4000, quota })).toEqual(['quota', 1]);
    expect(fullOf(bob, { freeBytes: 4000, quota })).toEqual(['bytes', 10]);
  });

  it('is full by the quota of a project, which all count for, and by the fullest target', () => {
    const project = { usedBytes: 200, limitBytes: 1000 };
    expect(fullOf(bob, { freeBytes: 4000, project })).toEqual(['project', 2]);
    // Four targets, of which the fullest has 100 left: each takes 100 a day.
    expect(fullOf(bob, { freeBytes: 4000, targets: { count: 4, leastFreeBytes: 100 } })).toEqual(['target', 1]);
    expect(fullOf(bob, { freeBytes: 400, targets: { count: 4, leastFreeBytes: 900 } })).toEqual(['bytes', 1]);
  });

  it('is full now where a quota is exceeded, and has no date where nothing bounds it or nothing grows', () => {
    expect(fullOf(ann, { quota: { usedBytes: 2000, limitBytes: 1000, user: null } })).toEqual(['quota', 0]);
    expect(fullOf(ann, {})).toBeNull();
    expect(fullOf(ann, { freeBytes: 10 }, [run('ann', 0, 0)])).toBeNull();
  });
});
