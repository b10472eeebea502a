import { isRemoteAddress } from '../../core/files/remote/remoteScheme.js';
import path from 'node:path';
import type { IndexedJobOptions } from '../../core/jobs/indexedJob.js';
import type { SlurmOptions } from '../../core/jobs/slurmOptions.js';
import { exitCode } from '../exitCode.js';
import { slurmFlags, slurmOf } from '../slurmFlags.js';
import { UsageError } from '../usageError.js';

/** Flags of use cases that an array of tasks can share. */
export const arrayFlags = {
  ...slurmFlags,
  kubernetes: { type: 'boolean' },
  claim: { type: 'string' },
  namespace: { type: 'string' },
  image: { type: 'string' },
  gather: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
} as const;

type ArrayValues = { [Flag in keyof typeof arrayFlags]?: (typeof arrayFlags)[Flag]['type'] extends 'string' ? string : boolean };

/** Who runs the tasks, and where the job's folder is made. */
export type ArrayPlace = ({ system: 'slurm'; options: SlurmOptions } | { system: 'kubernetes'; options: IndexedJobOptions }) & {
  parent: string;
  isAgreed: boolean;
};

/** An image with Node.js alone: the program comes with the job. */
const standardImage = 'docker.io/library/node:24-slim';

const kubernetesFlags = ['claim', 'namespace', 'image'] as const;
const slurmOnly = ['partition', 'account', 'qos', 'constraint', 'reservation', 'time-limit', 'share-nodes'] as const;

/** Null where one machine does all. @throws UsageError */
export function arrayPlaceOf(values: ArrayValues): ArrayPlace | null {
  const options = slurmOf(values);
  const isKubernetes = values.kubernetes === true;
  const idle = [...kubernetesFlags, 'yes' as const].find((flag) => values[flag] !== undefined);
  if (options === null) {
    if (isKubernetes || idle !== undefined) throw new UsageError(`--${isKubernetes ? 'kubernetes' : idle} goes with --nodes`);
    return null;
  }
  const common = { parent: values['job-folder'] ?? '.', isAgreed: values.yes === true };
  if (!isKubernetes) {
    const wrong = kubernetesFlags.find((flag) => values[flag] !== undefined);
    if (wrong !== undefined) throw new UsageError(`--${wrong} goes with --kubernetes`);
    return { system: 'slurm', options, ...common };
  }
  const wrong = [...slurmOnly, 'yes' as const].find((flag) => values[flag] !== undefined);
  if (wrong !== undefined) throw new UsageError(`--${wrong} goes with a job for Slurm`);
  const { nodes } = options;
  const { namespace = null, image = standardImage } = values;
  return {
    system: 'kubernetes',
    options: { nodes, claim: claimOf(values.claim), namespace, image, user: thisUser() },
    ...common,
  };
}

/** @throws UsageError */
function claimOf(text: string | undefined): IndexedJobOptions['claim'] {
  const [, name, mountPath] = /^([^=]+)=(\/.*)$/.exec(text ?? '') ?? [];
  if (name === undefined || mountPath === undefined)
    throw new UsageError('--kubernetes takes --claim NAME=PATH: the volume claim with the files, and where it is mounted here');
  return { name, mountPath: path.posix.normalize(mountPath) };
}

/** Whose files pods read and write; null where users have no numbers. */
function thisUser(): IndexedJobOptions['user'] {
  const [userId, groupId] = [process.getuid?.(), process.getgid?.()];
  if (userId === undefined || groupId === undefined) return null;
  return { userId, groupId, groups: (process.getgroups?.() ?? []).filter((group) => group !== groupId) };
}

/**
 * The path of a command that takes one; with `--gather` none, as the job knows it.
 * @throws UsageError
 */
export function pathOrGathered(positionals: readonly string[], { gather, nodes }: ArrayValues, command: string): string {
  const [path, ...more] = positionals;
  if (gather !== undefined) {
    if (path !== undefined || nodes !== undefined) throw new UsageError('--gather takes the folder of a job alone');
    return '';
  }
  if (path === undefined || more.length > 0) throw new UsageError(`${command} takes one path`);
  if (nodes !== undefined && isRemoteAddress(path))
    throw new UsageError('--nodes takes a path that all nodes have mounted, not an address');
  return path;
}

/** Exit code where no report was made: a manifest for Kubernetes is all that was asked for. */
export function notRun(place: ArrayPlace | null): number {
  return place?.system === 'kubernetes' ? exitCode.done : exitCode.usage;
}
