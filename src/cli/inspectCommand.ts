import { useCases } from '../app/useCases.js';
import type { InspectInput } from '../app/useCaseInputs.js';
import type { Severity } from '../core/findings/defineFinding.js';
import type { Report } from '../core/inspection/report.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { amountIn, given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

/** Width of a report where there is no terminal. */
const usualWidth = 80;

const flags = {
  ...reportFlags,
  tensors: { type: 'boolean' },
  'fail-on': { type: 'string' },
  part: { type: 'string' },
  'all-lengths': { type: 'boolean' },
  tokenizer: { type: 'string' },
  seed: { type: 'string' },
  'sample-seconds': { type: 'string' },
  'tokens-per-second': { type: 'string' },
  'sequence-length': { type: 'string' },
  'train-tokens': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

/** `stowage inspect`; answers the exit code. */
export async function runInspect(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('inspect takes one path');
  refuseTwoForms(values);
  const failOn = severityOf(values['fail-on']);
  const answer = await useCases.inspect.run(createNodePlatform(__filename), inputOf(path, values));
  await writeAnswer(answer, values, usualWidth);
  return fails(answer.report, failOn) ? exitCode.findings : exitCode.done;
}

function severityOf(failOn: string | undefined): Severity | undefined {
  if (failOn !== undefined && failOn !== 'error' && failOn !== 'warning')
    throw new UsageError('--fail-on takes error or warning');
  return failOn;
}

function inputOf(path: string, values: Values): InspectInput {
  return {
    path,
    ...given('tensors', values.tensors),
    ...given('part', values.part),
    ...given('allLengths', values['all-lengths']),
    ...given('tokenizer', values.tokenizer),
    ...numberIn('seed', values.seed, /^\d+$/),
    ...numberIn('sampleSeconds', values['sample-seconds'], /^\d+(\.\d+)?$/),
    ...amountIn('tokensPerSecond', values['tokens-per-second']),
    ...amountIn('sequenceLength', values['sequence-length']),
    ...amountIn('trainTokens', values['train-tokens']),
  };
}

function numberIn<Name extends string>(name: Name, text: string | undefined, form: RegExp): Partial<Record<Name, number>> {
  return given(name, text === undefined ? undefined : form.test(text) ? Number(text) : NaN);
}

function fails(report: Report, failOn: Severity | undefined): boolean {
  if (failOn === undefined) return false;
  return report.findings.some(
    (finding) => finding.severity === 'error' || (failOn === 'warning' && finding.severity === 'warning'),
  );
}
