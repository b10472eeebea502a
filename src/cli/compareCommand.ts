import { useCases } from '../app/useCases.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  'fail-on': { type: 'string' },
} as const;

/** `stowage compare`; answers the exit code. */
export async function runCompare(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  refuseTwoForms(values);
  const [a, b, ...more] = positionals;
  if (a === undefined || b === undefined || more.length > 0) throw new UsageError('compare takes two paths');
  const failOn = values['fail-on'];
  if (failOn !== undefined && failOn !== 'difference') throw new UsageError('--fail-on takes difference');
  const answer = await useCases.compare.run(createNodePlatform(__filename), { a, b });
  await writeAnswer(answer, values);
  return failOn !== undefined && !answer.report.isSame ? exitCode.findings : exitCode.done;
}
