import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { frameworkCases } from '../golden/frameworkCases.js';
import { readFixture } from './readConfigFixture.js';

interface ConfigTruth {
  checkpointPath?: string | null;
  files: { path: string }[];
  parameters: number | null;
  parametersWithTiedCopies?: number;
  facts?: Record<string, unknown>;
}

/** What the truths call the members of a plan. */
const names: Readonly<Record<string, string>> = {
  steps: 'steps',
  saveInterval: 'saveIntervalSteps',
  keep: 'keep',
  sequenceLength: 'sequenceLength',
  globalBatch: 'globalBatch',
  microBatch: 'microBatch',
  accumulation: 'accumulation',
  tokensPerStep: 'tokensPerStep',
  tensorParallel: 'tensorParallel',
  dataParallel: 'dataParallel',
  dp: 'dataParallel',
  zeroStage: 'zeroStage',
  precision: 'precision',
  paramDtype: 'parameterDtype',
  weightDtype: 'parameterDtype',
  maxTokens: 'maxTokens',
};

describe('configs of frameworks', () => {
  const cases = frameworkCases<ConfigTruth>('config').filter(({ name }) => name.includes('/train-'));
  it.each(cases.map(({ name, path: folder, truth }) => ({ name, folder, truth })))('$name', async ({ folder, truth }) => {
    const read = await readFixture(path.join(folder, truth.files[0]?.path ?? ''));
    const plan: Record<string, unknown> = { ...read?.reading.plan };
    for (const [fact, value] of Object.entries(truth.facts ?? {}))
      if (names[fact] !== undefined) expect.soft(plan[names[fact]], fact).toBe(value);
    const counted = read === null ? null : (await countModel(read.reading.model, read.access)).model;
    expect.soft(counted?.counts.unique ?? null).toBe(truth.parameters);
    expect.soft(counted?.counts.total).toBe(truth.parametersWithTiedCopies);
    expect(read?.file.fields.problems).toEqual([]);
  });
});
