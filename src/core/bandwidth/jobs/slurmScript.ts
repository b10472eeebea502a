import type { CheckRequest } from '../measurement.js';
import { visibleText } from '../../text/visibleText.js';
import { shellWord } from '../../jobs/shellWord.js';
import { jobMinutes, slurmDirectives, type SlurmOptions } from '../../jobs/slurmOptions.js';

/** Where the job finds its programs and leaves its files. All are paths that the nodes see as well. */
export interface JobPlaces {
  node: string;
  cli: string;
  resultFile: string;
  logFile: string;
}

/** Ends the request in the script. No line of JSON is this. */
const requestEnd = 'END_OF_REQUEST';

/**
 * A job for sbatch: one process on its first node starts one on each node, and gathers what they measured. What is written stands in
 * the script itself, so nothing is decided after somebody has agreed to it.
 * @param request what each node does
 * @param promise what is written where, in sentences, for those who read the script before it runs
 * @throws JobError `bad-setting` for paths and options that cannot be part of a script
 */
export function slurmScript(request: CheckRequest, options: SlurmOptions, places: JobPlaces, promise: readonly string[]): string {
  const { node, cli, resultFile } = places;
  const standardMinutes = jobMinutes(request.seconds);
  return [
    '#!/bin/sh',
    ...slurmDirectives(options, { name: 'stowage-bandwidth', logFile: places.logFile, standardMinutes }),
    '#',
    // What could end a comment is shown in place of being there.
    ...promise.map((sentence) => `# ${visibleText(sentence)}`),
    '# All nodes begin each phase together. What they measured becomes one JSON file.',
    '',
    '# The program has to be seen by the nodes under the same path.',
    `STOWAGE_NODE=${shellWord(node)}`,
    `STOWAGE_CLI=${shellWord(cli)}`,
    `exec "$STOWAGE_NODE" "$STOWAGE_CLI" bandwidth-job lead --nodes ${options.nodes} --result ${shellWord(resultFile)} <<'${requestEnd}'`,
    ...requestLines(request),
    requestEnd,
    '',
  ].join('\n');
}

/** JSON with one file a line, to be read by people as well. */
function requestLines(request: CheckRequest): string[] {
  const { files, ...shape } = request.shape;
  const head = JSON.stringify({ ...request, shape: undefined }).slice(0, -1);
  const last = files.length - 1;
  return [
    `${head},`,
    `"shape":${JSON.stringify(shape).slice(0, -1)},`,
    '"files":[',
    ...files.map((file, place) => `${JSON.stringify(file)}${place === last ? '' : ','}`),
    ']}}',
  ];
}
