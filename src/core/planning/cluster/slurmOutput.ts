/** What Slurm's programs print of partitions, nodes and the end of jobs. Lines that are not of their form are left out. */
import { limits } from '../../bytes/limits.js';

/** Nodes of one kind in a partition. */
export interface PartitionNodes {
  partition: string;
  nodes: number;
  /** Of one node; 0 without any. */
  gpus: number;
  /** As Slurm's configuration calls it: `a100`; empty where it has no name. */
  gpuType: string;
  memoryBytes: number | null;
  /** Of a job there; null where it may take as long as it likes. */
  walltimeSeconds: number | null;
  isUp: boolean;
}

/** Lines of an output that are read: a partition is one of hundreds at most. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/, limits.clusterLines).filter((line) => line.trim() !== '');
}

/** `sinfo --noheader --format=%R|%D|%G|%m|%l|%a`. */
export function parseSinfo(text: string): PartitionNodes[] {
  return linesOf(text).flatMap((line) => {
    const [partition, nodes, gres, megabytes, walltime, state] = line.split('|').map((field) => field.trim());
    const count = wholeNumber(nodes);
    if (partition === undefined || partition === '' || count === null || gres === undefined) return [];
    const memory = wholeNumber(megabytes);
    return [
      {
        partition: partition.replace(/\*$/, ''),
        nodes: count,
        ...gpusOf(gres),
        // Slurm counts in MiB.
        memoryBytes: memory === null ? null : memory * 2 ** 20,
        walltimeSeconds: slurmSeconds(walltime),
        isUp: state === undefined || state === 'up',
      },
    ];
  });
}

/** `gpu:a100:8(S:0-1)`, `gpu:8`, `gpu:a100:4,gpu:v100:4,mps:100`: of several kinds the one that there is most of. */
function gpusOf(gres: string): { gpus: number; gpuType: string } {
  // Places of sockets have commas of their own.
  const plain = gres.replaceAll(/\([^()]*\)/g, '');
  const kinds = plain.split(',').flatMap((item) => {
    const [, type = '', count] = /^gpu(?::([\w.-]{1,80}))?:(\d{1,4})$/.exec(item.trim()) ?? [];
    return count === undefined ? [] : [{ gpus: Number(count), gpuType: type }];
  });
  return kinds.reduce((most, kind) => (kind.gpus > most.gpus ? kind : most), { gpus: 0, gpuType: '' });
}

export interface Partition {
  name: string;
  isDefault: boolean;
  /** Null where jobs may take as long as they like. */
  walltimeSeconds: number | null;
  /** From the warning to the end of a job that is preempted; null where none is, or its end comes at once. */
  graceSeconds: number | null;
}

/** `scontrol show partition --oneliner`. */
export function parsePartitions(text: string): Partition[] {
  return linesOf(text).flatMap((line) => {
    const fields = fieldsOf(line);
    const name = fields.get('PartitionName');
    if (name === undefined || name === '') return [];
    const isPreempted = !/^(OFF|N\/A)?$/i.test(fields.get('PreemptMode') ?? '');
    const grace = wholeNumber(fields.get('GraceTime'));
    return [
      {
        name,
        isDefault: fields.get('Default') === 'YES',
        walltimeSeconds: slurmSeconds(fields.get('MaxTime')),
        graceSeconds: isPreempted && grace !== null && grace > 0 ? grace : null,
      },
    ];
  });
}

/** `Key=value` of one line; of a name that comes twice the first. */
function fieldsOf(line: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [, key = '', value = ''] of line.matchAll(/(?:^|\s)([A-Za-z][\w/]{0,40})=(\S*)/g))
    if (!fields.has(key)) fields.set(key, value);
  return fields;
}

/** From SIGTERM to SIGKILL, of `scontrol show config`; null where it is not said. */
export function parseKillWait(text: string): number | null {
  const value = /^KillWait\s*=\s*(\d{1,9})(?:\s*sec)?\s*$/m.exec(text)?.[1];
  return value === undefined ? null : Number(value);
}

/** `2-00:00:00`, `04:00:00`, `30:00`, `90` (minutes); null for `UNLIMITED`, `infinite`, `NONE` and what is no time. */
export function slurmSeconds(text: string | undefined): number | null {
  const [, days, rest = ''] = /^(?:(\d{1,5})-)?([\d:]{1,12})$/.exec(text?.trim() ?? '') ?? [];
  const parts = rest.split(':').map((part) => wholeNumber(part));
  if (rest === '' || parts.length > 3 || parts.some((part) => part === null)) return null;
  const [first = 0, second = 0, third = 0] = parts as number[];
  const dayHours = days === undefined ? 0 : Number(days) * 24;
  // With days the first is hours; three are hours, minutes and seconds; two minutes and seconds; one minutes.
  const [hours, minutes, seconds] =
    days !== undefined || parts.length === 3 ? [dayHours + first, second, third] : [0, first, second];
  const all = hours * 3600 + minutes * 60 + seconds;
  return all > 0 ? all : null;
}

export function wholeNumber(text: string | undefined): number | null {
  const digits = /^\d{1,15}/.exec(text?.trim() ?? '')?.[0];
  return digits === undefined || !/^\d+\+?$/.test(text?.trim() ?? '') ? null : Number(digits);
}
