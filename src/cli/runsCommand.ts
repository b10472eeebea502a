import { useCases } from '../app/useCases.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

/** `stowage runs`; answers the exit code. */
export async function runRuns(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, reportFlags);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('runs takes one path');
  refuseTwoForms(values);
  await writeAnswer(await useCases.runs.run(createNodePlatform(__filename), { path }), values);
  return exitCode.done;
}
