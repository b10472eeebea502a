/** Estimates of configs against counts of the frameworks' own modules, and against what the training configs say. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { estimate, openConfig } from '../../../src/core/estimates/estimate.js';
import { buildEstimate } from '../../../src/core/estimates/buildEstimate.js';
import type { EstimatedTraining, EstimateReport } from '../../../src/core/estimates/estimateReport.js';
import { nodeConfigSources } from '../../../src/platform/nodeConfigSources.js';
import { frameworkCases } from './frameworkCases.js';

interface ConfigTruth {
  checkpointPath?: null;
  files: { path: string }[];
  parameters: number | null;
  parametersWithTiedCopies?: number | null;
  activeParameters?: number | null;
  facts?: Record<string, unknown>;
}

/** Facts of a truth by the names that the estimate has for them. */
const facts: Record<string, keyof EstimatedTraining> = {
  steps: 'steps',
  saveInterval: 'saveIntervalSteps',
  keep: 'keep',
  sequenceLength: 'sequenceLength',
  globalBatch: 'globalBatch',
  microBatch: 'microBatch',
  accumulation: 'accumulation',
  tokensPerStep: 'tokensPerStep',
  tensorParallel: 'tensorParallel',
  pipelineParallel: 'pipelineParallel',
  expertParallel: 'expertParallel',
  dataParallel: 'dataParallel',
  dp: 'dataParallel',
  zeroStage: 'zeroStage',
  precision: 'precision',
};

/** Facts that an estimate has no member for; trainingConfigs.test.ts compares those that a plan has. */
const notEstimated = new Set([
  'bytesPerParameter',
  'distributedOptimizer',
  'ephemeralInterval',
  'ffn',
  'maxTokens',
  'optimizer',
  'paddedVocab',
  'paramDtype',
  'perDeviceBatch',
  'vocab',
  'weightDtype',
]);

const cases = frameworkCases<ConfigTruth>('config');

it.each(cases)('$name', async ({ path: folder, truth }) => {
  const { parameters, training } = await estimateFile(path.join(folder, truth.files[0]?.path ?? ''));
  if (truth.parameters !== null) {
    const { parametersWithTiedCopies: total, activeParameters: active } = truth;
    expect(parameters).toMatchObject({
      unique: truth.parameters,
      ...(total == null ? {} : { total }),
      ...(active == null ? {} : { active }),
    });
  }
  for (const [fact, expected] of Object.entries(truth.facts ?? {})) {
    const key = facts[fact];
    if (fact === 'trainableParameters') expect(parameters?.trainable).toBe(expected);
    else if (key !== undefined) expect(training[key], fact).toBe(expected);
    else expect([...notEstimated]).toContain(fact);
  }
});

async function estimateFile(file: string): Promise<EstimateReport> {
  const config = await openConfig(file, readFileSync(file, 'utf8'));
  if (config === null) throw new Error('this is no config');
  const access = createConfigAccess(nodeConfigSources(path.dirname(file)));
  return buildEstimate(await estimate(config, access), file);
}
