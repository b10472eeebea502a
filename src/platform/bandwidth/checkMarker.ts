import { createHash } from 'node:crypto';
import os from 'node:os';
import * as v from 'valibot';
import { isDataName, markerName } from '../../core/bandwidth/checkNames.js';
import { limits } from '../../core/bytes/limits.js';
import { openRegularFile } from '../regularFile.js';
import type { MachineIdentity } from '../os/system.js';
import { thisSystem } from '../os/thisSystem.js';

/** What a check tells of itself in its directory before it writes anything else: who may remove what, and whether it is still at work. */
export interface CheckMarker {
  kind: 'stowage-bandwidth';
  schemaVersion: 1;
  /** ISO 8601. */
  startedAt: string;
  host: string;
  /** A digest of what `MachineIdentity` has, as others may read the marker; those of earlier versions have none. */
  machineId: string | null;
  bootId: string | null;
  processNamespace: string | null;
  pid: number;
  /** As `System.startOfProcess` has it: numbers of processes are used again. */
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
  machineId: v.optional(v.nullable(shortText), null),
  bootId: v.nullable(shortText),
  processNamespace: v.nullable(shortText),
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  processStart: v.nullable(shortText),
  files: v.pipe(v.array(v.pipe(v.string(), v.check(isDataName))), v.maxLength(limits.checkMarkerFiles)),
  smallFiles: count,
});

export async function makeMarker(files: string[], smallFiles: number, system = thisSystem): Promise<CheckMarker> {
  const [identity, processStart] = await Promise.all([system.identity(), system.startOfProcess(process.pid)]);
  return {
    kind: 'stowage-bandwidth',
    schemaVersion: 1,
    startedAt: new Date().toISOString(),
    host: os.hostname(),
    ...identity,
    machineId: digestOf(identity.machineId),
    pid: process.pid,
    processStart,
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
export async function stateOf(marker: CheckMarker, system = thisSystem): Promise<'running' | 'elsewhere' | 'left'> {
  const here = await system.identity();
  if (!isOf(here, marker)) return 'elsewhere';
  // The machine was started again in between.
  if (marker.bootId !== null && here.bootId !== null && marker.bootId !== here.bootId) return 'left';
  if (marker.processNamespace !== here.processNamespace) return 'elsewhere';
  if (!isAlive(marker.pid)) return 'left';
  const start = await system.startOfProcess(marker.pid);
  if (marker.processStart !== null && start !== null) return marker.processStart === start ? 'running' : 'left';
  return (marker.bootId === null || here.bootId === null) && isBeforeBoot(marker.startedAt) ? 'left' : 'running';
}

function digestOf(machineId: string | null): string | null {
  return machineId === null ? null : createHash('sha256').update(`stowage ${machineId}`).digest('hex');
}

/** A machine may get another name from each network it joins; where nothing else identifies it, its name does. */
function isOf({ machineId }: MachineIdentity, marker: CheckMarker): boolean {
  if (machineId !== null && marker.machineId !== null) return digestOf(machineId) === marker.machineId;
  return marker.host === os.hostname();
}

/** The clock may be set while the machine runs. */
const clockSlackMs = 60_000;

function isBeforeBoot(startedAt: string): boolean {
  return Date.parse(startedAt) < Date.now() - os.uptime() * 1000 - clockSlackMs;
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
