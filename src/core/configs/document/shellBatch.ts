/** What Slurm sets of a job by the options in its script (sbatch(1): OUTPUT ENVIRONMENT VARIABLES). */
import type { ShellPiece, ShellWord } from './shellWord.js';

export const batchVariables: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['SLURM_NNODES', 'SLURM_JOB_NUM_NODES'],
    ['--nodes', '-N'],
  ],
  [
    ['SLURM_NTASKS', 'SLURM_NPROCS'],
    ['--ntasks', '-n'],
  ],
  [['SLURM_NTASKS_PER_NODE'], ['--ntasks-per-node']],
  [['SLURM_GPUS_PER_NODE', 'SLURM_GPUS_ON_NODE'], ['--gpus-per-node']],
];

/** The whole number that an `#SBATCH` option has. */
export function batchOption(words: readonly ShellWord[], names: readonly string[]): ShellPiece[] | null {
  for (const [index, { text, span }] of words.entries())
    for (const name of names) {
      const value = text.startsWith(`${name}=`)
        ? text.slice(name.length + 1)
        : text === name
          ? words[index + 1]?.text
          : undefined;
      if (value !== undefined && /^\d{1,9}$/.test(value)) return [{ text: value, span }];
    }
  return null;
}
