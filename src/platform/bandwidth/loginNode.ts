import { access } from 'node:fs/promises';
import os from 'node:os';
import { thisSystem } from '../os/thisSystem.js';

/** What tells of a batch system, and of a job of it. */
const systems = [
  {
    name: 'Slurm',
    job: 'SLURM_JOB_ID',
    files: ['/etc/slurm/slurm.conf', '/etc/slurm-llnl/slurm.conf'],
    variable: 'SLURM_CONF',
    worker: 'slurmd',
  },
  { name: 'PBS', job: 'PBS_JOBID', files: ['/etc/pbs.conf'], variable: 'PBS_CONF_FILE', worker: 'pbs_mom' },
  { name: 'LSF', job: 'LSB_JOBID', files: ['/etc/lsf.conf'], variable: 'LSF_ENVDIR', worker: 'sbatchd' },
] as const;

/** `login2.cluster`, `head`, `uan01`; not `headless`. */
const loginHostName = /^(login|head|submit|uan|frontend)[-_]?\d*(\.|$)/i;

export interface LoginNodeSources {
  env: Record<string, string | undefined>;
  hostName: string;
  exists(file: string): Promise<boolean>;
  /** Names of the programs that run here. */
  processes(): Promise<string[]>;
}

const sourcesOfMachine = (): LoginNodeSources => ({
  env: process.env,
  hostName: os.hostname(),
  exists: (file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  processes: () => thisSystem.programs(),
});

/** Why this machine is one that people log in to and share, and not one that trains; null where nothing says so. */
export async function loginNodeReason(sources: LoginNodeSources = sourcesOfMachine()): Promise<string | null> {
  const { env, hostName } = sources;
  if (systems.some(({ job }) => env[job])) return null;
  if (loginHostName.test(hostName)) return `its name is ${hostName}`;
  for (const { name, files, variable, worker } of systems) {
    // Its commands alone may come with a package; only what is configured for a cluster belongs to one.
    const isConfigured = Boolean(env[variable]) || (await hasOneOf(sources, files));
    if (!isConfigured || (await sources.processes()).includes(worker)) continue;
    return `it belongs to a cluster of ${name}, runs none of its jobs (${worker} is not there), and this is not within one`;
  }
  return null;
}

async function hasOneOf(sources: LoginNodeSources, files: readonly string[]): Promise<boolean> {
  for (const file of files) if (await sources.exists(file)) return true;
  return false;
}
