import { readlinkSync } from 'node:fs';
import os from 'node:os';
import * as v from 'valibot';
import { isDataName, markerName } from '../../core/bandwidth/checkNames.js';
import { limits } from '../../core/bytes/limits.js';
import { openRegularFile } from '../regularFile.js';
import { readSystemFile } from '../systemFile.js';

/** What a check tells of itself in its directory before it writes anything else: who may remove what, and whether it is still at work. */
export interface CheckMarker {
  kind: 'stowage-bandwidth';
  schemaVersion: 1;
  /** ISO 8601. */
  startedAt: string;
  host: string;
  /** Changes with every start of the machine; null where the system does not tell. */
  bootId: string | null;
  /** In which numbers of processes are counted: a container has its own. */
  processNamespace: string | null;
  pid: number;
  /** When the process began, in ticks since the start of the machine: numbers of processes are used again. */
  processStart: string | null;
  files: string[];
  smallFiles: number;
}

const shortText = v.pipe(v.string(), v.maxLength(255));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(limits.checkFiles));
const markerSchema = v.object({
  kind: v.literal('stowage-bandwidth'),
  schemaVersion: v.literal(1),
  startedAt: v.pipe(v.string(), v.isoTimestamp()),
  host: shortText,
  bootId: v.nullable(shortText),
  processNamespace: v.nullable(shortText),
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  processStart: v.nullable(shortText),
  files: v.pipe(v.array(v.pipe(v.string(), v.check(isDataName))), v.maxLength(limits.checkFiles)),
  smallFiles: count,
});

export function makeMarker(files: string[], smallFiles: number): CheckMarker {
  return {
    kind: 'stowage-bandwidth',
    schemaVersion: 1,
    startedAt: new Date().toISOString(),
    host: os.hostname(),
    bootId: bootId(),
    processNamespace: processNamespace(),
    pid: process.pid,
    processStart: startOfProcess(process.pid),
    files,
    smallFiles,
  };
}

/**
 * The marker of a check's directory; null where there is none that this program wrote: anyone can put a file there.
 * @param base leads into the directory
 * @param owner who has to own it; null where the system has no such thing
 */
export async function readMarker(base: string, owner: number | null): Promise<CheckMarker | null> {
  const opened = await openRegularFile(base + markerName, true).catch(() => null);
  if (opened === null) return null;
  const { handle, sizeBytes } = opened;
  try {
    if (sizeBytes > limits.checkMarkerBytes || (owner !== null && (await handle.stat()).uid !== owner)) return null;
    const data = Buffer.alloc(sizeBytes);
    const { bytesRead } = await handle.read(data, 0, data.length, 0);
    return parseMarker(data.toString('utf8', 0, bytesRead));
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** Null for what is no marker of a version that is known here. */
export function parseMarker(text: string): CheckMarker | null {
  try {
    const parsed = v.safeParse(markerSchema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Whether the check that wrote a marker is still running, as far as this machine shows. */
export function stateOf(marker: CheckMarker): 'running' | 'elsewhere' | 'left' {
  if (marker.host !== os.hostname()) return 'elsewhere';
  // The machine was started again in between.
  if (marker.bootId !== bootId()) return 'left';
  if (marker.processNamespace !== processNamespace()) return 'elsewhere';
  if (!isAlive(marker.pid)) return 'left';
  return marker.processStart === startOfProcess(marker.pid) ? 'running' : 'left';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is somebody else's.
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

function bootId(): string | null {
  return readSystemFile('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function processNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** Field 22 of /proc/PID/stat, proc(5). The name of the program, field 2, may hold blanks and brackets, but ends with the last bracket. */
function startOfProcess(pid: number): string | null {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
