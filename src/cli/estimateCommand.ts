import type { EstimateChanges } from '../app/estimates/estimateChanges.js';
import { useCases } from '../app/useCases.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { amountOf } from './amountFlags.js';
import { exitCode } from './exitCode.js';
import { amountIn, given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { remoteFlags, remoteOptions } from './remoteFlags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';
import { writePathError } from './writePathError.js';

const flags = {
  ...reportFlags,
  ...remoteFlags,
  optimizer: { type: 'string' },
  precision: { type: 'string' },
  steps: { type: 'string' },
  'save-interval': { type: 'string' },
  keep: { type: 'string' },
  rank: { type: 'string' },
  model: { type: 'string' },
  quota: { type: 'string' },
  'step-seconds': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

/** `stowage estimate`; answers the exit code. */
export async function runEstimate(args: readonly string[]): Promise<number> {
  const { values, positionals: paths } = parseFlags(args, flags);
  const [path, ...more] = paths;
  if (path === undefined) throw new UsageError('estimate takes a path');
  refuseTwoForms(values);
  const isTogether = more.length > 0 || values.quota !== undefined;
  if (isTogether) return printRuns(paths, values);
  if (values['step-seconds'] !== undefined) throw new UsageError('--step-seconds says when a quota is full: give --quota too');
  await writeAnswer(
    await useCases.estimate.run(createNodePlatform(__filename, remoteOptions(values)), { path, ...changesIn(values) }),
    values,
  );
  return exitCode.done;
}

/** Several runs on one storage, and what becomes of a quota. */
async function printRuns(paths: string[], values: Values): Promise<number> {
  const answer = await useCases.estimateRuns.run(createNodePlatform(__filename, remoteOptions(values)), {
    paths,
    ...changesIn(values),
    ...given('quotaBytes', amountOf('--quota', values.quota, 'bytes', '20TB') ?? undefined),
    ...given('stepSeconds', amountOf('--step-seconds', values['step-seconds'], 'seconds', '0.9') ?? undefined),
  });
  await writeAnswer(answer, values);
  for (const error of answer.unreadable) writePathError(error);
  return answer.unreadable.length > 0 ? exitCode.unreadable : exitCode.done;
}

/** What is taken in place of the configs' values. */
function changesIn(values: Values): EstimateChanges & { model?: string } {
  return {
    ...given('model', values.model),
    ...given('optimizer', values.optimizer),
    ...given('precision', values.precision),
    ...amountIn('steps', values.steps),
    ...amountIn('saveInterval', values['save-interval']),
    ...amountIn('keep', values.keep),
    ...amountIn('rank', values.rank),
  };
}
