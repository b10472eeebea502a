import { InputError, PathError } from '../app/useCaseError.js';
import { FormatError } from '../core/bytes/formatError.js';
import { JobError } from '../core/jobs/jobError.js';
import { visibleText } from '../core/text/visibleText.js';
import { exitCode } from './exitCode.js';
import { runInspect } from './inspectCommand.js';
import { isCommand, synopsesOf, usageOf } from './usage.js';
import { UsageError } from './usageError.js';
import { writePathError } from './writePathError.js';

/** Runs one command line; answers the exit code. Writes to standard output and standard error only. */
export async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  const named = isCommand(command) ? command : null;
  try {
    if (named !== null && (rest.includes('--help') || rest.includes('-h'))) return say(usageOf(named));
    if (command === '--version') return say(`${STOWAGE_VERSION}\n`);
    if (command === '--help' || command === '-h' || command === 'help') return say(usageOf(null));
    return await run(command, rest);
  } catch (error) {
    if (error instanceof PathError) {
      writePathError(error);
      return exitCode.unreadable;
    }
    if (JobError.is(error) && error.code !== 'bad-setting') {
      process.stderr.write(`stowage: ${error.detail.split('\n').map(visibleText).join('\n  ')}\n`);
      return error.code === 'cancelled' ? exitCode.cancelled : exitCode.unreadable;
    }
    if (FormatError.is(error, 'cancelled')) {
      process.stderr.write(`stowage: ${visibleText(error.detail)}\n`);
      return exitCode.cancelled;
    }
    const wrong = wrongUsage(error);
    if (wrong === null) throw error;
    process.stderr.write(`stowage: ${wrong}\n${synopsesOf(named)}`);
    return exitCode.usage;
  }
}

async function run(command: string | undefined, rest: readonly string[]): Promise<number> {
  switch (command) {
    case 'inspect':
      return runInspect(rest);
    // The others only when they are asked for: their tables would take a tenth of an inspection's start.
    case 'estimate':
      return (await import('./estimateCommand.js')).runEstimate(rest);
    case 'runs':
      return (await import('./runsCommand.js')).runRuns(rest);
    case 'retention':
      return (await import('./retentionCommand.js')).runRetention(rest);
    case 'verify':
      return (await import('./verifyCommand.js')).runVerify(rest);
    case 'values':
      return (await import('./valuesCommand.js')).runValues(rest);
    case 'compare':
      return (await import('./compareCommand.js')).runCompare(rest);
    case 'plan':
      return (await import('./planCommand.js')).runPlan(rest);
    case 'bandwidth':
      return (await import('./bandwidth/bandwidthCommand.js')).runBandwidth(rest);
    case 'job-task':
      return (await import('./jobs/jobTask.js')).runJobTask(rest);
    case 'bandwidth-job':
      return (await import('./bandwidth/jobCommand.js')).runBandwidthJob(rest);
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`there is no command ${command}`);
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return exitCode.done;
}

/** What is wrong with a call; null for any other error. */
function wrongUsage(error: unknown): string | null {
  if (error instanceof InputError) return wrongFlag(error);
  if (JobError.is(error)) return visibleText(error.detail);
  return error instanceof UsageError ? error.message : null;
}

/** `--sample-seconds takes …`, `--optimizer: foo is …`: an input by the flag that it was given with. Flags of bytes take units, and have none in their names. */
function wrongFlag({ input, value, isOfValue, detail }: InputError): string {
  const flag = `--${input.replace(/Bytes$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return visibleText(isOfValue ? `${flag}: ${value ?? ''} ${detail}${hintOf(input)}` : `${flag} ${detail}`);
}

/** Where the values of an input are listed. */
function hintOf(input: string): string {
  return input === 'set' ? '; --inputs lists them' : '';
}
