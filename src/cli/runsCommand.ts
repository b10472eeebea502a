import type { JobsAnswer } from '../app/runs/jobsAnswer.js';
import { useCases } from '../app/useCases.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { outputExtension, writeJobs } from './jobsOutput.js';
import { remoteFlags, remoteOptions } from './remoteFlags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  ...remoteFlags,
  telemetry: { type: 'string' },
  columns: { type: 'string' },
  cache: { type: 'string' },
  output: { type: 'string' },
  policy: { type: 'string' },
} as const;

/** `stowage runs`; answers the exit code. */
export async function runRuns(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  refuseTwoForms(values);
  if (values.output !== undefined) {
    outputExtension(values.output);
    if (values.json === true || values.markdown === true) throw new UsageError('--output and another form exclude each other');
  }
  const platform = createNodePlatform(__filename, remoteOptions(values));
  if (values.telemetry !== undefined) {
    if (values.cache !== undefined || values.policy !== undefined)
      throw new UsageError('--cache and --policy go with a directory');
    if (positionals.length > 0) throw new UsageError('runs takes a directory, or --telemetry FILE');
    const input = { path: values.telemetry, ...given('columns', columnsOf(values.columns)) };
    return answered(await useCases.runsInTelemetry.run(platform, input), values);
  }
  if (values.columns !== undefined) throw new UsageError('--columns goes with --telemetry');
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('runs takes one path');
  return answered(
    await useCases.runs.run(platform, { path, ...given('cache', values.cache), ...given('policy', values.policy) }),
    values,
  );
}

async function answered(
  answer: JobsAnswer<object>,
  values: Parameters<typeof writeAnswer>[1] & { output?: string },
): Promise<number> {
  if (values.output !== undefined) return writeJobs(values.output, answer);
  await writeAnswer(answer, values);
  return exitCode.done;
}

/** @throws UsageError */
function columnsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at <= 0 || at === pair.length - 1) throw new UsageError('--columns takes NAME=COLUMN,…');
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
