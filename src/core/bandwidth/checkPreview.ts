/** What a check would do, shown before it starts. */
import { limits } from '../bytes/limits.js';
import { formatBytes, formatDifferentBytes } from '../text/units.js';
import { blockSlots, busyStreams, threadsOf, tooMuchMemory } from './blockMemory.js';
import type { CheckErrorCode } from './checkError.js';
import type { CheckSettings } from './checkSettings.js';
import { filesOfSize, makeShape, usualPartBytes, type CheckShape, type ShapeFile } from './checkShape.js';
import { fileSystemName, isObjectStore, isShared } from './fileSystemKind.js';
import type { CheckRequest } from './measurement.js';
import { mostBytesAtOnce } from './requestBounds.js';
import { problemOfSettings } from './settingsProblem.js';
import { sustainedRequest } from './sustained/sustainedRequest.js';
import { mostStreamsOf, sweepOrder } from './sweep/sweepRequest.js';
import type { FileSystemFacts, TargetFacts } from './targetFacts.js';

export interface CheckPreview {
  facts: TargetFacts;
  /** Null where the check cannot be made; `refusal` says why then. */
  request: CheckRequest | null;
  refusal: Refusal | null;
  /** Most bytes that may lie there at once, and what set this bound. */
  space: CheckSpace;
  /** Why it has to be asked for twice; empty where once is enough. */
  warnings: CheckWarning[];
}

export interface Refusal {
  code: CheckErrorCode;
  detail: string;
}

export interface CheckSpace {
  bytes: number;
  boundBy: 'standard' | 'free-space' | 'given';
}

export type CheckWarning = { code: 'login-node'; reason: string } | { code: 'shared-file-system'; name: string };

/** The files of a real save. */
export interface RealFiles {
  files: readonly ShapeFile[];
  /** The checkpoint they are of; null where only a size is given. */
  replayOf: string | null;
}

/**
 * @param real files of the checkpoint that `settings.replayOf` names; null without one
 * @param nodes how many nodes check at the same time: the space is for all of them together, the request for one
 */
export function previewCheck(settings: CheckSettings, facts: TargetFacts, real: RealFiles | null, nodes = 1): CheckPreview {
  const space = spaceOf(settings, facts.fileSystem);
  const request = wantedRequest(settings, facts, real, { bytes: Math.floor(space.bytes / nodes), nodes });
  const refusal = refusalOf(settings, facts.fileSystem, request, nodes);
  return { facts, request: refusal === null ? request : null, refusal, space, warnings: warningsOf(facts) };
}

function spaceOf({ spaceBytes }: CheckSettings, fileSystem: FileSystemFacts): CheckSpace {
  if (spaceBytes !== null) return { bytes: spaceBytes, boundBy: 'given' };
  const free = freeOf(fileSystem);
  const share = free === null ? Infinity : Math.floor(free * limits.checkFreeShare);
  return share < limits.checkSpaceBytes
    ? { bytes: share, boundBy: 'free-space' }
    : { bytes: limits.checkSpaceBytes, boundBy: 'standard' };
}

/** What this user may still write; null where there is no bound, as in object stores. */
function freeOf({ freeBytes, quota }: FileSystemFacts): number | null {
  const left = quota === null ? null : Math.max(0, quota.limitBytes - quota.usedBytes);
  if (freeBytes === null || left === null) return freeBytes ?? left;
  return Math.min(freeBytes, left);
}

function shapeOf(settings: CheckSettings, real: RealFiles | null, spaceBytes: number): CheckShape | null {
  const files = real?.files ?? filesOfSize(settings.sizeBytes ?? spaceBytes, settings.streams);
  return makeShape(files, real?.replayOf ?? null, spaceBytes, settings);
}

function refusalOf(
  settings: CheckSettings,
  fileSystem: FileSystemFacts,
  request: CheckRequest | null,
  nodes: number,
): Refusal | null {
  const problem = problemOfSettings(settings) ?? problemOfPlace(settings, fileSystem, nodes);
  if (problem !== null) return { code: 'bad-setting', detail: problem };
  const free = freeOf(fileSystem);
  if (request === null)
    return free !== null && free * limits.checkFreeShare < limits.checkSectorBytes
      ? { code: 'not-enough-space', detail: `${formatBytes(free)} free` }
      : { code: 'bad-setting', detail: 'there are no bytes to write' };
  return problemOfParts(settings, request, fileSystem) ?? problemOfRoom(request, fileSystem, free, nodes);
}

/** Parts that only a directory of this machine can have: nodes and stores are measured by one number of streams. */
function problemOfPlace({ sweepStreams, isSustained }: CheckSettings, { type }: FileSystemFacts, nodes: number): string | null {
  if (sweepStreams === null && !isSustained) return null;
  const part = sweepStreams === null ? 'a sustained rate' : 'a sweep';
  if (isObjectStore(type)) return `${part} needs a directory: object stores are checked with one number of streams`;
  return nodes > 1 ? `${part} is measured on one node: check it there, without others` : null;
}

function problemOfParts(
  { isSustained }: CheckSettings,
  { shape, sweep, sustained }: CheckRequest,
  { type }: FileSystemFacts,
): Refusal | null {
  const { checkSectorBytes: sector } = limits;
  const sweepSectors = mostStreamsOf(sweep);
  if (sweep !== null && sweep.spaceBytes < sweepSectors * sector)
    return { code: 'bad-setting', detail: `the space holds no ${sector} bytes for each of ${sweepSectors} streams` };
  if (isSustained && sustained === null)
    return { code: 'bad-setting', detail: `the space holds no two files of ${sector} bytes for each stream` };
  // The parts of an object store are not made ahead: its own check tells what they may take.
  const threads = threadsOf({ shape, sweep });
  if (!isObjectStore(type) && blockSlots(threads, shape.blockBytes) === null)
    return { code: 'bad-setting', detail: tooMuchMemory(threads, shape.blockBytes) };
  return null;
}

function problemOfRoom(
  request: CheckRequest,
  { freeFiles }: FileSystemFacts,
  free: number | null,
  nodes: number,
): Refusal | null {
  const needed = mostBytesAtOnce(request) * nodes * limits.checkFreeTimes;
  if (free !== null && free < needed) {
    const [freeText, neededText] = formatDifferentBytes(free, needed);
    return { code: 'not-enough-space', detail: `${freeText} free, ${neededText} needed` };
  }
  if (freeFiles !== null && freeFiles < request.shape.files.length * nodes * limits.checkFreeTimes)
    return { code: 'not-enough-files', detail: `${freeFiles} more files can be made there` };
  return null;
}

/** What the settings ask for; null where they are none, or there are no bytes to write. */
function wantedRequest(
  settings: CheckSettings,
  { path, fileSystem }: TargetFacts,
  real: RealFiles | null,
  { bytes, nodes }: { bytes: number; nodes: number },
): CheckRequest | null {
  if (problemOfSettings(settings) !== null) return null;
  const blockBytes = settings.blockBytes ?? (isObjectStore(fileSystem.type) ? usualPartBytes : null);
  const shape = shapeOf({ ...settings, blockBytes }, real, bytes);
  if (shape === null) return null;
  const { repeats, seconds, sweepStreams, isSustained, sustainedBytes, sustainedSeconds } = settings;
  const room = fileSystem.freeFiles === null ? Infinity : Math.floor((fileSystem.freeFiles * limits.checkFreeShare) / nodes);
  const bounds = { mostBytes: sustainedBytes, mostSeconds: sustainedSeconds };
  return {
    target: path,
    shape,
    repeats,
    seconds,
    // An object store has no small operations besides its requests, which are timed anyhow.
    smallFiles: isObjectStore(fileSystem.type) ? 0 : Math.min(limits.checkSmallFiles, room),
    sweep: sweepStreams === null ? null : { streams: sweepOrder(sweepStreams), repeats, seconds, spaceBytes: bytes },
    sustained: isSustained ? sustainedRequest(busyStreams(shape), bytes, bounds) : null,
  };
}

function warningsOf({ loginNode, fileSystem }: TargetFacts): CheckWarning[] {
  const { name, kind } = fileSystemName(fileSystem);
  return [
    ...(loginNode === null ? [] : [{ code: 'login-node', reason: loginNode } as const]),
    ...(isShared(kind) ? [{ code: 'shared-file-system', name } as const] : []),
  ];
}
