import { CheckError } from '../checkError.js';
import { refuseControls } from './shellWord.js';

/** What a user tells Slurm about a job. */
export interface SlurmOptions {
  nodes: number;
  partition: string | null;
  account: string | null;
  qos: string | null;
  constraint: string | null;
  reservation: string | null;
  /** Null for what the check takes and some minutes for the nodes to get ready. */
  timeMinutes: number | null;
  /** Whole nodes: what else runs on them would be measured as well. */
  isExclusive: boolean;
}

/** @throws CheckError `bad-setting` for a value that no cluster has */
export function slurmDirectives(
  options: SlurmOptions,
  job: { name: string; logFile: string | null; standardMinutes: number },
): string[] {
  const named = [
    ['partition', options.partition],
    ['account', options.account],
    ['qos', options.qos],
    ['constraint', options.constraint],
    ['reservation', options.reservation],
  ] as const;
  return [
    `--job-name=${job.name}`,
    `--nodes=${options.nodes}`,
    `--time=${options.timeMinutes ?? job.standardMinutes}`,
    ...(options.isExclusive ? ['--exclusive'] : []),
    ...named.flatMap(([name, value]) => (value === null ? [] : `--${name}=${directiveValue(name, value)}`)),
    // Standard error goes to the same file where none is named for it.
    ...(job.logFile === null ? [] : [`--output=${directivePath(job.logFile)}`]),
    // A job that was interrupted is not begun again by itself: it would write a second time.
    '--no-requeue',
  ].map((directive) => `#SBATCH ${directive}`);
}

/** What a check of so many seconds takes of a job's time at most: the nodes' start, a slow file system's last blocks, removal. */
export function jobMinutes(checkSeconds: number): number {
  return Math.ceil((2 * checkSeconds) / 60) + 5;
}

/** Names of Slurm's own, and constraints such as `[rack1|rack2]&ssd*2`. */
function directiveValue(name: string, value: string): string {
  if (!/^[\w.,:@&|()[\]*+/-]+$/.test(value))
    throw new CheckError('bad-setting', `${JSON.stringify(value)} cannot be a job's ${name}`);
  return value;
}

/** sbatch takes `%` for the start of a pattern and a backslash for the end of patterns (sbatch(1), "filename pattern"). */
function directivePath(path: string): string {
  refuseControls(path);
  if (/["\\]/.test(path)) {
    throw new CheckError(
      'bad-setting',
      `${JSON.stringify(path)} cannot be the place of a job's log: it has a quote or a backslash`,
    );
  }
  return `"${path.replaceAll('%', '%%')}"`;
}
