import { JobError } from './jobError.js';
import { refuseControls } from './shellWord.js';

/** What a user tells Slurm about a job. */
export interface SlurmOptions {
  nodes: number;
  partition: string | null;
  account: string | null;
  qos: string | null;
  constraint: string | null;
  reservation: string | null;
  /** Null for what the work takes and some minutes for the nodes to get ready. */
  timeMinutes: number | null;
  /** Whole nodes: what else runs on them would be measured as well, and would be slower for it. */
  isExclusive: boolean;
}

interface NamedJob {
  name: string;
  standardMinutes: number;
}

/**
 * Directives of a job on all nodes at once, which is not begun again by itself: it would write a second time.
 * @param job with its log's path; null for Slurm's own place
 * @throws JobError `bad-setting` for a value that no cluster has
 */
export function slurmDirectives(options: SlurmOptions, job: NamedJob & { logFile: string | null }): string[] {
  return [
    ...commonDirectives(options, job, options.nodes),
    // Standard error goes to the same file where none is named for it.
    ...(job.logFile === null ? [] : [`--output="${filePattern(job.logFile)}"`]),
    '--no-requeue',
  ].map(asDirective);
}

/**
 * Directives of an array of tasks, each on one node, as many at once as there are nodes. A task whose node is lost is begun again.
 * @param job with the folder of the logs, one a task
 * @throws JobError `bad-setting`
 */
export function slurmArrayDirectives(options: SlurmOptions, job: NamedJob & { tasks: number; logFolder: string }): string[] {
  return [
    ...commonDirectives(options, job, 1),
    '--ntasks=1',
    `--array=0-${job.tasks - 1}%${options.nodes}`,
    `--output="${filePattern(job.logFolder)}/log-%a.txt"`,
    '--open-mode=append',
    '--requeue',
  ].map(asDirective);
}

function commonDirectives(options: SlurmOptions, { name, standardMinutes }: NamedJob, nodes: number): string[] {
  const named = [
    ['partition', options.partition],
    ['account', options.account],
    ['qos', options.qos],
    ['constraint', options.constraint],
    ['reservation', options.reservation],
  ] as const;
  return [
    `--job-name=${name}`,
    `--nodes=${nodes}`,
    `--time=${options.timeMinutes ?? standardMinutes}`,
    ...(options.isExclusive ? ['--exclusive'] : []),
    ...named.flatMap(([key, value]) => (value === null ? [] : `--${key}=${directiveValue(key, value)}`)),
  ];
}

function asDirective(directive: string): string {
  return `#SBATCH ${directive}`;
}

/** What a check of so many seconds takes of a job's time at most: the nodes' start, a slow file system's last blocks, removal. */
export function jobMinutes(checkSeconds: number): number {
  return Math.ceil((2 * checkSeconds) / 60) + 5;
}

/** Names of Slurm's own, and constraints such as `[rack1|rack2]&ssd*2`. */
function directiveValue(name: string, value: string): string {
  if (!/^[\w.,:@&|()[\]*+/-]+$/.test(value))
    throw new JobError('bad-setting', `${JSON.stringify(value)} cannot be a job's ${name}`);
  return value;
}

/** sbatch takes `%` for the start of a pattern and a backslash for the end of patterns (sbatch(1), "filename pattern"). */
function filePattern(path: string): string {
  refuseControls(path);
  if (/["\\]/.test(path)) {
    throw new JobError(
      'bad-setting',
      `${JSON.stringify(path)} cannot be the place of a job's log: it has a quote or a backslash`,
    );
  }
  return path.replaceAll('%', '%%');
}
