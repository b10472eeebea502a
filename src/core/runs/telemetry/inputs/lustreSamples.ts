/**
 * `lctl get_param obdfilter.*.job_stats`, printed again and again: per target a list of jobs, each with `snapshot_time` (seconds since 1970, with a
 * fraction in some versions: `secs.nsecs`) and `write_bytes: { samples: 262, unit: bytes, min: …, max: …, sum: 274726912 }` (Lustre Operations
 * Manual, "Job Stats"). Lines are read one by one: the text is YAML only in part.
 */
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import type { Counted, CounterDump } from './counterDumps.js';
import { sampleTime } from './sampleTime.js';

const target = /^([^\s=]{1,200})\.job_stats=/;
const job = /^- job_id:\s*(.{1,200}?)\s*$/;
const snapshot = /^\s+snapshot_time:\s*(\d{1,12})(?:\.(\d{1,9}))?/;
const bytesLine = /^\s+(read|write)_bytes:\s*\{(.{0,300})\}/;
const sum = /\bsum:\s*(\d{1,20})/;

export function isLustreJobStats(text: string): boolean {
  return /(^|\n)job_stats:|\.job_stats=/.test(text) && text.includes('- job_id:');
}

/** A dump has the time of a line before it, or else the latest `snapshot_time` of its jobs. @throws FormatError `limit-exceeded` */
export function lustreDumps(text: string): CounterDump[] {
  const dumps: CounterDump[] = [];
  let current: CounterDump | null = null;
  let givenMs: number | null = null;
  let [place, key] = ['', ''];
  let counters = 0;
  const seen = new Set<string>();
  const begin = (): CounterDump => {
    seen.clear();
    current = { timeMs: givenMs ?? -Infinity, counters: new Map() };
    dumps.push(current);
    return current;
  };
  for (const line of text.split('\n')) {
    const here = target.exec(line);
    if (here !== null || /^job_stats:/.test(line)) {
      const name = here?.[1] ?? '';
      // `job_stats:` follows the name of its target, where that is printed.
      if (here === null && place !== '' && seen.has(place) && key === '') continue;
      if (current === null || seen.has(name)) begin();
      [place, key] = [name, ''];
      seen.add(name);
      continue;
    }
    const time =
      /^[#\s]*\S/.test(line) && !line.startsWith('-') && !line.startsWith(' ') ? sampleTime(line.replace(/^#\s*/, '')) : null;
    if (time !== null) {
      givenMs = time.ms;
      begin();
      continue;
    }
    const named = job.exec(line);
    if (named !== null) {
      key = `${place}\n${named[1]}`;
      counters += 1;
      if (counters > limits.telemetrySamples) throw new FormatError('limit-exceeded', 'more jobs than are read');
      continue;
    }
    if (current === null || key === '') continue;
    const taken = snapshot.exec(line);
    const dump: CounterDump = current;
    if (taken !== null && givenMs === null) dump.timeMs = Math.max(dump.timeMs, Number(`${taken[1]}.${taken[2] ?? '0'}`) * 1000);
    const amount = bytesLine.exec(line);
    if (amount === null) continue;
    const counted: Counted = dump.counters.get(key) ?? [0, 0];
    counted[amount[1] === 'write' ? 0 : 1] = Number(sum.exec(amount[2] ?? '')?.[1] ?? 0);
    dump.counters.set(key, counted);
  }
  return dumps.filter((dump) => dump.counters.size > 0);
}
