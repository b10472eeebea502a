/**
 * What a plan asks a cluster, each by a command that reads and changes nothing. The commands are shown before they run; their arguments are
 * fixed but for the directory and the user, and no shell is between.
 */

export type ClusterCommandId = 'nodes' | 'partitions' | 'slurm' | 'gpus' | 'room' | 'lustre' | 'quota';

export interface ClusterCommand {
  id: ClusterCommandId;
  program: string;
  args: readonly string[];
  /** What it is asked for. */
  what: string;
}

/** Of the machine that the commands run on. */
export interface ClusterPlace {
  system: 'linux' | 'macos';
  /** Whose quota is asked for; null where users have no numbers. */
  userId: number | null;
  /** Absolute, where checkpoints go; null where nothing of storage is asked. */
  directory: string | null;
}

export function clusterCommands({ system, userId, directory }: ClusterPlace): ClusterCommand[] {
  return [
    command('nodes', 'nodes, GPUs, memory and time limit of each partition', 'sinfo', '--noheader', '--format=%R|%D|%G|%m|%l|%a'),
    command('partitions', 'default partition, walltime, grace period', 'scontrol', 'show', 'partition', '--oneliner'),
    command('slurm', 'time from SIGTERM to SIGKILL, preemption', 'scontrol', 'show', 'config'),
    command(
      'gpus',
      'model, memory and power of the GPUs of this machine',
      'nvidia-smi',
      '--query-gpu=name,memory.total,power.limit',
      '--format=csv,noheader,nounits',
    ),
    ...(directory === null ? [] : storageCommands(system, userId, directory)),
  ];
}

function storageCommands(system: ClusterPlace['system'], userId: number | null, directory: string): ClusterCommand[] {
  // The type of a file system is an option of GNU alone.
  const type = system === 'linux' ? ['-T'] : [];
  return [
    command('room', 'file system of the directory, its size and what is used', 'df', '-P', ...type, '-k', directory),
    command('lustre', 'the same of a Lustre file system', 'lfs', 'df', directory),
    ...(userId === null ? [] : [command('quota', 'your quota there', 'lfs', 'quota', '-q', '-u', String(userId), directory)]),
  ];
}

function command(id: ClusterCommandId, what: string, program: string, ...args: string[]): ClusterCommand {
  return { id, program, args, what };
}

/** `sinfo --noheader --format='%R|%D|…'`: as one would type it. */
export function commandLine({ program, args }: Pick<ClusterCommand, 'program' | 'args'>): string {
  return [program, ...args.map(quoted)].join(' ');
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
