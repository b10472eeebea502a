import { visibleText } from '../text/visibleText.js';
import { taskMinutes, type ArrayProgram, type DescribedArray } from './arrayProgram.js';
import { shellWord } from './shellWord.js';
import { slurmArrayDirectives, type SlurmOptions } from './slurmOptions.js';

/**
 * A script for sbatch: an array of tasks, each on one node, as many at once as there are nodes.
 * @throws JobError `bad-setting` for paths and options that cannot be part of a script
 */
export function slurmArray(array: DescribedArray, options: SlurmOptions, { node, cli, folder }: ArrayProgram): string {
  const { name, tasks, mostBytes, promise } = array;
  return [
    '#!/bin/sh',
    ...slurmArrayDirectives(options, { name, tasks, standardMinutes: taskMinutes(mostBytes), logFolder: folder }),
    '#',
    // What could end a comment is shown in place of being there.
    ...promise.map((sentence) => `# ${visibleText(sentence)}`),
    '',
    '# The program has to be seen by the nodes under the same path.',
    `exec ${[node, cli, 'job-task', folder].map(shellWord).join(' ')}`,
    '',
  ].join('\n');
}
