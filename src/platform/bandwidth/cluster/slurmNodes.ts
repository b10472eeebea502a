import { hostname } from 'node:os';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import type { StartedMembers } from './lead.js';
import { runClusterProgram, startClusterProgram } from '../../cluster/clusterProgram.js';

/**
 * The address at which other nodes of the cluster reach this one, as Slurm lists it (NodeAddr); the machine's own name outside of Slurm.
 * @throws CheckError `other-nodes` where Slurm does not answer
 */
export async function ownAddress(): Promise<string> {
  const name = process.env['SLURMD_NODENAME'];
  if (name === undefined) return hostname();
  const { code, stdout, stderr } = await runClusterProgram('scontrol', ['show', 'node', name, '--oneliner']);
  const address = / NodeAddr=(\S+)/.exec(stdout)?.[1];
  if (code !== 0 || address === undefined) {
    throw new CheckError('other-nodes', `Slurm lists no address of ${name}: ${stderr.trim() || stdout.trim()}`);
  }
  return address;
}

/** This process's place among the nodes, as srun says it. */
export function ownPlace(): { name: string; rank: number } {
  return { name: process.env['SLURMD_NODENAME'] ?? hostname(), rank: Number(process.env['SLURM_PROCID'] ?? 0) };
}

/**
 * Starts one process on each node of this job's allocation.
 * @param command program and its arguments
 */
export function startWithSrun(nodes: number, command: readonly string[], environment: Record<string, string>): StartedMembers {
  const options = [
    `--nodes=${nodes}`,
    `--ntasks=${nodes}`,
    '--ntasks-per-node=1',
    // The variables have to reach the nodes also where the cluster exports none (SLURM_EXPORT_ENV).
    '--export=ALL',
    // One task is bound to one core otherwise, and all of its streams share that.
    '--cpu-bind=none',
    // No MPI is needed, and where its plugin is missing the step would not start.
    '--mpi=none',
    '--label',
    // Those that remain have to remove what they wrote, which takes longer than the end of one.
    '--kill-on-bad-exit=0',
  ];
  const program = startClusterProgram('srun', [...options, ...command], environment);
  return {
    ended: program.ended.then(({ code, stderr }) => ({
      isFailure: code !== 0,
      detail: `srun ended with code ${code ?? 'none'}: ${stderr.trim().slice(-2_000)}`,
    })),
    end: () => program.end(),
  };
}
