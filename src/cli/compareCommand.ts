import { useCases } from '../app/useCases.js';
import type { ValuesProgress } from '../core/values/valuesReport.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { ProgressLine } from './progressLine.js';
import { remoteFlags, remoteOptions } from './remoteFlags.js';
import { sampleIn } from './sampleFlags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  ...remoteFlags,
  values: { type: 'boolean' },
  sample: { type: 'string' },
  seed: { type: 'string' },
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
  const input = { a, b, ...given('values', values.values), ...sampleIn(values) };
  const line = new ProgressLine();
  const onProgress = (progress: ValuesProgress): void => line.show(progress);
  const answer = await useCases.compare
    .run(createNodePlatform(__filename, remoteOptions(values)), input, { onProgress })
    .finally(() => line.clear());
  await writeAnswer(answer, values);
  return failOn !== undefined && !answer.report.isSame ? exitCode.findings : exitCode.done;
}
