/** What a check would do, shown before it starts. */
import { limits } from '../bytes/limits.js';
import { formatBytes, formatDifferentBytes } from '../text/units.js';
import { blockSlots, tooMuchMemory } from './blockMemory.js';
import type { CheckErrorCode } from './checkError.js';
import type { CheckSettings } from './checkSettings.js';
import { filesOfSize, makeShape, usualPartBytes, type CheckShape, type ShapeFile } from './checkShape.js';
import { fileSystemName, isShared } from './fileSystemKind.js';
import type { CheckRequest } from './measurement.js';
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
  const blockBytes = settings.blockBytes ?? (facts.fileSystem.type === 's3' ? usualPartBytes : null);
  const isPossible = problemOfSettings(settings) === null;
  const shape = isPossible ? shapeOf({ ...settings, blockBytes }, real, Math.floor(space.bytes / nodes)) : null;
  const refusal = refusalOf(settings, facts.fileSystem, shape, nodes);
  return {
    facts,
    request: shape === null || refusal !== null ? null : requestOf(settings, facts, shape, nodes),
    refusal,
    space,
    warnings: warningsOf(facts),
  };
}

/** What is wrong with settings, in words; null where nothing is. Settings come from a page and from a command line. */
export function problemOfSettings(settings: CheckSettings): string | null {
  const { sizeBytes, spaceBytes, streams, blockBytes, seconds, repeats, intervalSeconds } = settings;
  const { checkSectorBytes: sector } = limits;
  if (!isCount(sizeBytes, 1, Number.MAX_SAFE_INTEGER)) return 'the size must be a whole number of bytes above 0';
  if (!isCount(spaceBytes, sector, Number.MAX_SAFE_INTEGER)) return `the space must be at least ${sector} bytes`;
  if (!isCount(streams, 1, limits.checkStreams)) return `streams must be from 1 to ${limits.checkStreams}`;
  if (!isCount(blockBytes, sector, limits.checkBlockBytes) || (blockBytes ?? 0) % sector !== 0)
    return `a block must be a multiple of ${sector} bytes, up to ${limits.checkBlockBytes}`;
  if (!isCount(repeats, 1, limits.checkRepeats)) return `repeats must be from 1 to ${limits.checkRepeats}`;
  if (!(seconds > 0 && seconds <= limits.checkSeconds))
    return `the time must be above 0 and at most ${limits.checkSeconds} seconds`;
  if (intervalSeconds !== null && !(intervalSeconds > 0 && Number.isFinite(intervalSeconds)))
    return 'the interval must be greater than 0';
  return null;
}

function isCount(value: number | null, least: number, most: number): boolean {
  return value === null || (Number.isSafeInteger(value) && value >= least && value <= most);
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
  shape: CheckShape | null,
  nodes: number,
): Refusal | null {
  const problem = problemOfSettings(settings);
  if (problem !== null) return { code: 'bad-setting', detail: problem };
  const free = freeOf(fileSystem);
  if (shape === null)
    return free !== null && free * limits.checkFreeShare < limits.checkSectorBytes
      ? { code: 'not-enough-space', detail: `${formatBytes(free)} free` }
      : { code: 'bad-setting', detail: 'there are no bytes to write' };
  // The parts of an object store are not made ahead: its own check tells what they may take.
  if (fileSystem.type !== 's3' && blockSlots(shape) === null) return { code: 'bad-setting', detail: tooMuchMemory(shape) };
  const needed = shape.totalBytes * nodes * limits.checkFreeTimes;
  if (free !== null && free < needed) {
    const [freeText, neededText] = formatDifferentBytes(free, needed);
    return { code: 'not-enough-space', detail: `${freeText} free, ${neededText} needed` };
  }
  if (fileSystem.freeFiles !== null && fileSystem.freeFiles < shape.files.length * nodes * limits.checkFreeTimes)
    return { code: 'not-enough-files', detail: `${fileSystem.freeFiles} more files can be made there` };
  return null;
}

function requestOf(settings: CheckSettings, { path, fileSystem }: TargetFacts, shape: CheckShape, nodes: number): CheckRequest {
  const room = fileSystem.freeFiles === null ? Infinity : Math.floor((fileSystem.freeFiles * limits.checkFreeShare) / nodes);
  return {
    target: path,
    shape,
    repeats: settings.repeats,
    seconds: settings.seconds,
    // An object store has no small operations besides its requests, which are timed anyhow.
    smallFiles: fileSystem.type === 's3' ? 0 : Math.min(limits.checkSmallFiles, room),
  };
}

function warningsOf({ loginNode, fileSystem }: TargetFacts): CheckWarning[] {
  const { name, kind } = fileSystemName(fileSystem);
  return [
    ...(loginNode === null ? [] : [{ code: 'login-node', reason: loginNode } as const]),
    ...(isShared(kind) ? [{ code: 'shared-file-system', name } as const] : []),
  ];
}
