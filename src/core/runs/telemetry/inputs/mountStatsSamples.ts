/**
 * `/proc/self/mountstats` of NFS clients, printed again and again: for each mount `device … mounted on … with fstype nfs4 statvers=1.1`, `age:` (seconds
 * since it was mounted) and `bytes:` with eight counters, of which the fifth and the sixth are what READ and WRITE moved (linux/nfs_iostat.h:
 * NFSIOS_SERVERREADBYTES, NFSIOS_SERVERWRITTENBYTES).
 */
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import type { CounterDump } from './counterDumps.js';
import { sampleTime } from './sampleTime.js';

const device = /^device (.{1,500}) mounted on (.{1,500}) with fstype (\w+)/;
const age = /^\s*age:\s*(\d{1,12})/;
const bytesLine = /^\s*bytes:\s*((?:\d{1,20}\s*){8})/;

export function isMountStats(text: string): boolean {
  return /(^|\n)device .{1,500} mounted on .{1,500} with fstype nfs/.test(text);
}

/**
 * A dump has the time of a line before it, or else the file's: of several dumps that of the last one, and of the others as much earlier as the mount was
 * younger.
 * @throws FormatError `limit-exceeded`, `unsupported` where no time is known
 */
export function mountStatsDumps(text: string, fileMs: number | null): CounterDump[] {
  const dumps: (CounterDump & { age: number; isGiven: boolean })[] = [];
  let current: (typeof dumps)[number] | null = null;
  let givenMs: number | null = null;
  let key: string | null = null;
  let first: string | null = null;
  let counters = 0;
  for (const line of text.split('\n')) {
    const mount = device.exec(line);
    if (mount !== null) {
      key = (mount[3] ?? '').startsWith('nfs') ? `${mount[1]}\n${mount[2]}` : null;
      if (key === null) continue;
      if (current === null || givenMs !== null || current.counters.has(key)) {
        current = { timeMs: givenMs ?? NaN, counters: new Map(), age: NaN, isGiven: givenMs !== null };
        dumps.push(current);
        givenMs = null;
      }
      first ??= key;
      counters += 1;
      if (counters > limits.telemetrySamples) throw new FormatError('limit-exceeded', 'more mounts than are read');
      continue;
    }
    const time = /^[#\d]/.test(line) ? sampleTime(line.replace(/^#\s*/, '')) : null;
    if (time !== null) givenMs = time.ms;
    if (current === null || key === null) continue;
    const old = age.exec(line);
    if (old !== null && key === first) current.age = Number(old[1]);
    const counted = bytesLine.exec(line)?.[1]?.trim().split(/\s+/).map(Number);
    if (counted !== undefined) current.counters.set(key, [counted[5] ?? 0, counted[4] ?? 0]);
  }
  const lastAge = dumps.at(-1)?.age ?? NaN;
  return dumps
    .filter((dump) => dump.counters.size > 0)
    .map(({ timeMs, counters: own, age: ownAge, isGiven }) => {
      const ms = isGiven ? timeMs : (fileMs ?? NaN) - (dumps.length > 1 ? (lastAge - ownAge) * 1000 : 0);
      if (Number.isNaN(ms)) throw new FormatError('unsupported', 'mountstats has no time: print one in the line before each');
      return { timeMs: ms, counters: own };
    });
}
