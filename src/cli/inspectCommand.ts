import { jsonText, type Answer } from '../app/answer.js';
import { failsOn, type FailOn } from '../app/inspection/failOn.js';
import { PathError } from '../app/useCaseError.js';
import { useCases } from '../app/useCases.js';
import type { InspectInput } from '../app/useCaseInputs.js';
import { partNames } from '../core/inspection/collection/partName.js';
import { findingTable } from '../core/findings/findingTable.js';
import type { Report } from '../core/inspection/report.js';
import { markdownCode } from '../core/text/displayText.js';
import { visibleText } from '../core/text/visibleText.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { amountIn, given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { remoteFlags, remoteOptions } from './remoteFlags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';
import { writePathError } from './writePathError.js';

/** Width of a report where there is no terminal. */
const usualWidth = 80;

const flags = {
  ...reportFlags,
  ...remoteFlags,
  tensors: { type: 'boolean' },
  'fail-on': { type: 'string' },
  'fail-on-code': { type: 'string' },
  part: { type: 'string' },
  ranks: { type: 'string' },
  'tensor-parallel': { type: 'string' },
  'pipeline-parallel': { type: 'string' },
  'all-lengths': { type: 'boolean' },
  tokenizer: { type: 'string' },
  seed: { type: 'string' },
  'sample-seconds': { type: 'string' },
  'tokens-per-second': { type: 'string' },
  'sequence-length': { type: 'string' },
  'train-tokens': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

/** `stowage inspect`; answers the exit code: of several paths the gravest. */
export async function runInspect(args: readonly string[]): Promise<number> {
  const { values, positionals: paths } = parseInspectFlags(args);
  if (paths.length === 0) throw new UsageError('inspect takes a path');
  refuseTwoForms(values);
  const failOn = failOnOf(values);
  const platform = createNodePlatform(__filename, remoteOptions(values));
  const answers: Answer<Report>[] = [];
  const unreadable: PathError[] = [];
  for (const path of paths) {
    try {
      answers.push(await useCases.inspect.run(platform, inputOf(path, values)));
    } catch (error) {
      if (!(error instanceof PathError) || paths.length === 1) throw error;
      unreadable.push(error);
    }
  }
  await writeAnswer(paths.length === 1 ? (answers[0] as Answer) : together(answers), values, usualWidth);
  for (const error of unreadable) writePathError(error);
  if (unreadable.length > 0) return exitCode.unreadable;
  return answers.some(({ report }) => failsOn(report, failOn)) ? exitCode.findings : exitCode.done;
}

/** `--part` without a value says which it takes. */
function parseInspectFlags(args: readonly string[]): ReturnType<typeof parseFlags<typeof flags>> {
  const at = args.indexOf('--part');
  const value = args[at + 1];
  if (at !== -1 && (value === undefined || value.startsWith('-')))
    throw new UsageError(`--part takes one of ${partNames.join(', ')}`);
  return parseFlags(args, flags);
}

/** Several reports as one answer: a list of them in JSON, one below the other for people. */
function together(answers: readonly Answer<Report>[]): Answer {
  const report = answers.map((answer) => answer.report);
  return {
    report,
    json: () => jsonText(report),
    // A heading has the last part of a path, which several may share.
    markdown: () => answers.map((answer) => `${markdownCode(answer.report.path)}\n\n${answer.markdown()}`).join('\n'),
    terminal: (options) => answers.map((answer) => answer.terminal(options)).join('\n'),
  };
}

function failOnOf({ 'fail-on': severity, 'fail-on-code': list }: Values): FailOn {
  if (severity !== undefined && severity !== 'error' && severity !== 'warning')
    throw new UsageError('--fail-on takes error or warning');
  const codes = list?.split(',').map((code) => code.trim()) ?? [];
  const unknown = codes.find((code) => !Object.hasOwn(findingTable, code));
  if (unknown !== undefined)
    throw new UsageError(`--fail-on-code: there is no finding ${visibleText(unknown)}; docs/findings.md lists them`);
  return { ...(severity === undefined ? {} : { severity }), codes };
}

function inputOf(path: string, values: Values): InspectInput {
  return {
    path,
    ...given('tensors', values.tensors),
    ...given('part', values.part),
    ...numberIn('ranks', values.ranks, /^\d{1,7}$/),
    ...numberIn('tensorParallel', values['tensor-parallel'], /^\d{1,7}$/),
    ...numberIn('pipelineParallel', values['pipeline-parallel'], /^\d{1,7}$/),
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
