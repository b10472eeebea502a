/** One process of a run: takes turns with all targets until the time is over, and reports each turn to the process that started it. */
import { readFinding } from './findings.js';
import { failureOf } from './fuzzTarget.js';
import { fuzzTargets, targetNamed } from './targets.js';
import { WatchedExecutor, type TurnResult } from './watch.js';

export interface JobOptions {
  targets: string[];
  seed: number;
  endMs: number;
  turnMs: number;
}

/** What a job says to the process that started it. */
export type JobMessage = { target: string; result: TurnResult };

const [, , command, argument] = process.argv;
if (command === 'repeat') await repeat(argument as string);
else if (command === 'list')
  console.log(
    fuzzTargets()
      .map(({ name }) => name)
      .join('\n'),
  );
else await run(JSON.parse(argument as string) as JobOptions);

async function run({ targets, seed, endMs, turnMs }: JobOptions): Promise<void> {
  // The run was ended: the results would go nowhere.
  process.once('disconnect', () => process.exit());
  const executor = new WatchedExecutor(seed);
  for (let turn = 0; Date.now() < endMs; turn++) {
    const target = targets[turn % targets.length] as string;
    const result = await executor.run({ target, forMs: Math.min(turnMs, endMs - Date.now()) });
    process.send?.({ target, result } satisfies JobMessage);
  }
  await executor.end();
  process.removeAllListeners('disconnect');
  process.disconnect?.();
}

/** Executes a finding once. */
async function repeat(file: string): Promise<void> {
  const { target: name, input } = readFinding(file);
  const error = await failureOf(targetNamed(name), input);
  console.log(error === undefined ? 'passed' : error);
  process.exitCode = error === undefined ? 0 : 1;
}
