import path from 'node:path';
import type { RetentionAnswer } from '../app/retention/retentionOf.js';
import { useCases } from '../app/useCases.js';
import { shellQuoted } from '../core/retention/script/shellText.js';
import { visibleText } from '../core/text/visibleText.js';
import { nodeFiles } from '../platform/nodeFiles.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';
import { writeFiles } from './writeFiles.js';

const flags = {
  ...reportFlags,
  policy: { type: 'string' },
  workspace: { type: 'string' },
  script: { type: 'string' },
} as const;

/** `stowage retention`; answers the exit code. */
export async function runRetention(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  const [run, ...more] = positionals;
  if (run === undefined || more.length > 0) throw new UsageError('retention takes one run');
  refuseTwoForms(values);
  const { script } = values;
  if (script !== undefined) {
    refuseWithinRun(script, run);
    await refuseOtherFile(script);
    await refuseOtherFile(`${script}-purge`);
  }
  const input = { path: run, ...given('policy', values.policy), ...given('workspace', values.workspace) };
  const answer = await useCases.retention.run(createNodePlatform(__filename), input);
  await writeAnswer(answer, values);
  return script === undefined ? exitCode.done : writeScripts(script, answer);
}

/** A new file among those of the run would be a difference to the plan. @throws UsageError */
function refuseWithinRun(script: string, run: string): void {
  const [place = '', ...rest] = path.relative(path.resolve(run), path.resolve(script)).split(path.sep);
  const isWithin = place !== '..' && !path.isAbsolute(place) && (place !== '.stowage' || rest.length === 0);
  if (isWithin) throw new UsageError('--script takes a file outside of the run, or in its folder .stowage');
}

/** What stands in every script of a plan, and in no file of somebody else. */
const scriptMark = '#   sh FILE --apply  does it, and stops at the first difference to the plan';
const mostScriptBytes = 256 * 1024 * 1024;

/** Only the script of an earlier plan is written over. @throws UsageError */
async function refuseOtherFile(file: string): Promise<void> {
  const there = await nodeFiles.stat(file).catch(() => null);
  if (there === null) return;
  const text = await nodeFiles.readText(file, mostScriptBytes).catch(() => '');
  if (!text.includes(scriptMark))
    throw new UsageError(`${visibleText(file)} is there and is no script of a retention plan: name another file`);
}

async function writeScripts(file: string, answer: RetentionAnswer): Promise<number> {
  const { move, purge } = answer.scripts();
  const ended = await writeFiles(file, [
    { path: file, content: move },
    { path: `${file}-purge`, content: purge },
  ]);
  const name = visibleText(file);
  if (ended === exitCode.done)
    process.stderr.write(
      `Wrote ${name} and ${name}-purge for POSIX shells. sh ${/^[\w@%+=:,./-]+$/.test(name) ? name : shellQuoted(name)} lists what it would move; --apply moves it.\n`,
    );
  return ended;
}
