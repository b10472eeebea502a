import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { slurmArray } from '../../../src/core/jobs/slurmArray.js';
import type { SlurmOptions } from '../../../src/core/jobs/slurmOptions.js';

const options: SlurmOptions = {
  nodes: 3,
  partition: 'all',
  account: null,
  qos: null,
  constraint: null,
  reservation: null,
  timeMinutes: null,
  isExclusive: true,
};
const array = {
  name: 'stowage-verify-00c0ffee',
  target: '/a',
  tasks: 12,
  mostBytes: 6e12,
  promise: ['Reads 1 TB of /a\n#SBATCH --evil.'],
};
const program = { node: 'printf', cli: '%s|', folder: "/shared/it's 100 %/job" };

describe('a script with an array of tasks', () => {
  it('asks for a node a task, as many at once as there are nodes, and begins those again whose node is lost', () => {
    const directives = slurmArray(array, options, program)
      .split('\n')
      .filter((line) => line.startsWith('#SBATCH'));
    expect(directives).toEqual([
      '#SBATCH --job-name=stowage-verify-00c0ffee',
      '#SBATCH --nodes=1',
      // 6 TB at 100 MB/s, and ten minutes.
      '#SBATCH --time=1010',
      '#SBATCH --exclusive',
      '#SBATCH --partition=all',
      '#SBATCH --ntasks=1',
      '#SBATCH --array=0-11%3',
      '#SBATCH --output="/shared/it\'s 100 %%/job/log-%a.txt"',
      '#SBATCH --open-mode=append',
      '#SBATCH --requeue',
    ]);
  });

  it('calls the program with the folder as it is', () => {
    expect(execFileSync('sh', ['-c', slurmArray(array, options, program)], { encoding: 'utf8' })).toBe(
      "job-task|/shared/it's 100 %/job|",
    );
  });

  it.each([
    ['a partition', { ...options, partition: 'all\n#SBATCH --x' }, program],
    ['a folder with a line break', options, { ...program, folder: '/a\nb' }],
    ['a folder with a quote', options, { ...program, folder: '/a"b' }],
  ])('refuses %s', (_, wrong, place) => {
    expect(() => slurmArray(array, wrong, place)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });
});
