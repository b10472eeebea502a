import { useCases } from '../app/useCases.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = { ...reportFlags, telemetry: { type: 'string' }, columns: { type: 'string' } } as const;

/** `stowage runs`; answers the exit code. */
export async function runRuns(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  refuseTwoForms(values);
  const platform = createNodePlatform(__filename);
  if (values.telemetry !== undefined) {
    if (positionals.length > 0) throw new UsageError('runs takes a directory, or --telemetry FILE');
    const input = { path: values.telemetry, ...given('columns', columnsOf(values.columns)) };
    await writeAnswer(await useCases.runsInTelemetry.run(platform, input), values);
    return exitCode.done;
  }
  if (values.columns !== undefined) throw new UsageError('--columns goes with --telemetry');
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('runs takes one path');
  await writeAnswer(await useCases.runs.run(platform, { path }), values);
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
