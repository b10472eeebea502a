import { useCases } from '../app/useCases.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { amountIn, given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  optimizer: { type: 'string' },
  precision: { type: 'string' },
  steps: { type: 'string' },
  'save-interval': { type: 'string' },
  keep: { type: 'string' },
} as const;

/** `stowage estimate`; answers the exit code. */
export async function runEstimate(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('estimate takes one path');
  refuseTwoForms(values);
  const answer = await useCases.estimate.run(createNodePlatform(__filename), {
    path,
    ...given('optimizer', values.optimizer),
    ...given('precision', values.precision),
    ...amountIn('steps', values.steps),
    ...amountIn('saveInterval', values['save-interval']),
    ...amountIn('keep', values.keep),
  });
  await writeAnswer(answer, values);
  return exitCode.done;
}
