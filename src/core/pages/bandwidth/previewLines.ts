/** Exactly what a check will write and where, before it is asked for: panel, terminal and job scripts say it alike. */
import type { CheckWarning, CheckPreview, CheckSpace } from '../../bandwidth/checkPreview.js';
import { isObjectStore } from '../../bandwidth/fileSystemKind.js';
import { mostBytesAtOnce, mostSecondsOf } from '../../bandwidth/requestBounds.js';
import type { CheckRequest } from '../../bandwidth/measurement.js';
import type { OtherCheck } from '../../bandwidth/targetFacts.js';
import { momentInWords } from './historyTable.js';
import { counted, listed, shortShare, shortTime } from '../../text/quantities.js';
import { formatBinaryBytes, formatBytes } from '../../text/units.js';

/** @param nodes that do the same at the same time */
export function previewLines({ request, space, facts }: CheckPreview, nodes = 1): string[] {
  if (request === null) return [];
  const { shape, repeats, smallFiles } = request;
  return [
    `${filesLine(request)}, ${nodes === 1 ? '' : `from each of ${nodes} nodes, `}into a new folder in ${facts.path}.`,
    `${repeatsLine(repeats)}${smallFiles === 0 ? '' : ` Then ${counted(smallFiles, 'small file')}, one after another.`} At most ${shortTime(request.seconds)}.`,
    ...sweepLines(request),
    ...sustainedLines(request),
    ...(shape.replayOf === null ? [] : [scaleLine(request)]),
    `Never more than ${formatBytes(mostBytesAtOnce(request) * nodes * copiesOf(facts.fileSystem.type))} at once${isBound(request, space) ? ', a twentieth of what is free' : ''}. All of it is removed at the end, also when the check is cancelled or fails.`,
    ...(isObjectStore(facts.fileSystem.type) ? ['The store counts, and may charge for, every request.'] : []),
  ];
}

/** In Google Cloud Storage the parts of an object are there beside it until it is put together. */
function copiesOf(type: string): number {
  return type === 'gs' ? 2 : 1;
}

function sweepLines({ sweep }: CheckRequest): string[] {
  if (sweep === null) return [];
  const { streams, repeats, seconds, spaceBytes } = sweep;
  const times = repeats === 1 ? 'once' : `${repeats} times`;
  return [
    `Then a sweep: ${listed(streams.map(String))} streams write and sync, through the cache and past it where that is possible, each ${times} and at most ${formatBytes(spaceBytes)} a time. At most ${shortTime(seconds)} more.`,
  ];
}

function sustainedLines(request: CheckRequest): string[] {
  const { sustained } = request;
  if (sustained === null) return [];
  const { streams, mostBytes, mostSeconds } = sustained;
  return [
    `Last, the sustained rate: ${counted(streams, 'stream')} ${streams === 1 ? 'writes' : 'write'} without a pause until the rate has fallen and settled, at most ${formatBytes(mostBytes)} and ${shortTime(mostSeconds)}. Files are removed as new ones are written. The whole check takes at most ${shortTime(mostSecondsOf(request))}.`,
  ];
}

function filesLine({ shape: { files, totalBytes, streams, blockBytes } }: CheckRequest): string {
  const largest = files.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  const each = files.length === 1 ? '' : files.every(({ sizeBytes }) => sizeBytes === largest) ? ' each' : ' at most';
  return `${counted(files.length, 'file')} of ${formatBytes(largest)}${each} (${formatBytes(totalBytes)} in all) by ${counted(streams, 'stream')}, in blocks of ${formatBinaryBytes(blockBytes)}`;
}

function repeatsLine(repeats: number): string {
  if (repeats === 1) return 'Written, synced, read back, removed; once.';
  return `Written, synced, read back, removed; ${repeats} times.`;
}

function scaleLine({ shape: { scale, realBytes, realFiles, replayOf } }: CheckRequest): string {
  const of = `the ${formatBytes(realBytes)} in ${counted(realFiles, 'file')} of ${replayOf ?? ''}`;
  return scale >= 0.999 ? `The same sizes as ${of}.` : `Scaled to ${shortShare(scale)} of ${of}.`;
}

/** Where there is little space, and more would have been written. */
function isBound({ shape, sweep, sustained }: CheckRequest, { boundBy }: CheckSpace): boolean {
  return boundBy === 'free-space' && (shape.scale < 0.999 || sweep !== null || sustained !== null);
}

/** Why nothing can be concluded from repeats of so few seconds, and what to do. */
export function shortRepeatInWords(seconds: number): string {
  return `Each repeat writes for about ${shortTime(seconds)}: too short to tell the bandwidth from the time to start. Raise the size or the space, or read the result as a lower bound.`;
}

/** Why a check has to be asked for twice. */
export function warningInWords(warning: CheckWarning): string {
  if (warning.code === 'login-node')
    return `This seems to be a login node (${warning.reason}): others work on it, and it may be slower than the nodes that train.`;
  return `${warning.name} is shared with others: the check takes bandwidth from their jobs while it runs.`;
}

/** What another check has in the directory. */
export function otherCheckInWords({ path, state, host, bytes, files, uploads = 0, startedAt }: OtherCheck): string {
  const begun = `begun ${momentInWords(startedAt)}${host === null ? '' : ` on ${host}`}`;
  const unfinished = uploads === 0 ? '' : `${counted(uploads, 'unfinished upload')} with parts, `;
  const what = `${path} (${counted(files, 'file')}, ${formatBytes(bytes)}, ${unfinished}${begun})`;
  if (state === 'running') return `A check is running in ${what}: both will be slower.`;
  if (state === 'elsewhere') return `A check on another machine made ${what}: it may still be running there.`;
  return `An earlier check left ${what}.`;
}
