import { describe, expect, it } from 'vitest';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { usualObjectRate } from '../../../../src/core/planning/saving/objectRate.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

const planOf = (inputs: Partial<PlanInputs>) => makePlan(planDocument(inputs));

describe('the way to an object store that nobody has given', () => {
  it('is 10 Gb/s for each node, until the store takes no more parts of 16 MiB', () => {
    const rate = (gpus: number, store: PlanInputs['store'], objectStore: PlanInputs['objectStore'] = 'none') =>
      usualObjectRate({ gpus, gpusPerNode: 8, store, objectStore });
    expect(rate(8, 's3-standard')).toBe(1.25e9);
    expect(rate(9, 's3-standard')).toBe(2.5e9);
    expect(rate(4096, 's3-standard')).toBe(3500 * 2 ** 24);
    expect(rate(4096, 'lustre', 'gcs-standard')).toBe(1000 * 2 ** 24);
    expect(rate(4096, 's3-express')).toBe(512 * 1.25e9);
    // Of what is installed nothing is known.
    expect(rate(4096, 'minio')).toBe(3500 * 2 ** 24);
  });

  it('is what a plan saves at, is checked first, and is not said to be there', () => {
    const plan = planOf({ gpus: 64, store: 's3-standard' });
    expect(plan.save).toMatchObject({ writeBytesPerSecond: 10e9, bandwidthBasis: 'objects' });
    expect(plan.actions.map(({ id }) => id).slice(0, 2)).toEqual(['interval', 'measure-bandwidth']);
    const { numbers } = planPage(plan, planDocument({ gpus: 64, store: 's3-standard' }));
    expect(numbers[1]?.text).toMatch(/^for 10 GB\/s of S3 Standard, as is assumed; /);
    expect(planOf({ gpus: 64, store: 's3-standard', objectBytesPerSecond: 4e9 }).save.writeBytesPerSecond).toBe(4e9);
  });
});

describe('storage that is lost with a node', () => {
  it('has its saves copied off before anything is gained', () => {
    const { actions } = planOf({ gpus: 8, store: 'local-nvme' });
    expect(actions.slice(0, 2)).toMatchObject([{ id: 'interval' }, { id: 'copy-off', level: 'object-store', everySaves: 1 }]);
    expect(planOf({ gpus: 64, store: 'lustre' }).actions.map(({ id }) => id)).not.toContain('copy-off');
  });
});
