/**
 * JSON of sysstat: `{ "sysstat": { "hosts": [{ "statistics": […] }] } }`. `sadf -j` (json_stats.c) has `timestamp` with date, time, zone and the interval that
 * ends there, and `disk` with `rkB` and `wkB` or `io` with blocks of 512 bytes. `iostat -t -o JSON` (iostat.c) has `timestamp` as one text, and `disk` with
 * `rkB/s` or `kB_read/s`, in other units with -m and -g. A kB is 1,024 bytes in both.
 */
import { FormatError } from '../../../bytes/formatError.js';
import { recordOf } from './jsonRecord.js';
import { refuseMore, type Samples } from './samples.js';
import { sampleTime } from './sampleTime.js';

export function isSysstat(value: unknown): boolean {
  return Object.hasOwn(recordOf(value), 'sysstat');
}

/** @throws FormatError `unsupported` for several hosts, and reports without times or disks; `corrupt` */
export function sysstatSamples(value: unknown): Samples {
  const { hosts } = recordOf(recordOf(value)['sysstat']);
  if (!Array.isArray(hosts) || hosts.length === 0) throw new FormatError('corrupt', 'sysstat: no host');
  if (hosts.length > 1) throw new FormatError('unsupported', 'sysstat: it has several hosts; give one a file');
  const { statistics } = recordOf(hosts[0]);
  if (!Array.isArray(statistics)) throw new FormatError('corrupt', 'sysstat: no statistics');
  refuseMore(statistics.length);
  const isIostat = statistics.some((one) => devicesOf(one).some((device) => Object.hasOwn(device, 'disk_device')));
  // The first report of iostat is the mean since the machine began, unless it was started with -y: files do not say which.
  const used = isIostat ? statistics.slice(1) : statistics.filter((one) => hasBytes(one));
  const samples: Samples = {
    source: isIostat ? 'iostat' : 'sar',
    form: 'rate-to',
    timesMs: [],
    write: [],
    read: [],
    notes: isIostat ? ['The first report of iostat, the mean since the machine began, is left out.'] : [],
  };
  const zones = new Set<string>();
  for (const one of used) {
    const { ms, zone } = timeOf(recordOf(one)['timestamp'], isIostat);
    if (zone !== null) zones.add(zone);
    const [write, read] = bytesOf(one);
    samples.timesMs.push(ms);
    samples.write?.push(write);
    samples.read?.push(read);
  }
  if (samples.timesMs.length === 0)
    throw new FormatError('unsupported', 'sysstat: no report of disks: use sadf -j -- -d, or iostat -t -o JSON');
  if (zones.size > 0) samples.notes.push(`Times are taken for UTC; the file has ${[...zones].slice(0, 3).join(', ')}.`);
  return samples;
}

type Device = Record<string, unknown>;

function devicesOf(statistic: unknown): Device[] {
  const { disk } = recordOf(statistic);
  return Array.isArray(disk) ? disk.map(recordOf) : [];
}

function hasBytes(statistic: unknown): boolean {
  return devicesOf(statistic).length > 0 || Object.hasOwn(recordOf(statistic), 'io');
}

/** Zone names of sadf that are UTC; it prints UTC unless it is asked for local time. */
const utc = /^(UTC|GMT|)$/;

function timeOf(timestamp: unknown, isIostat: boolean): { ms: number; zone: string | null } {
  if (timestamp === undefined)
    throw new FormatError('unsupported', `sysstat: reports have no time${isIostat ? ': start iostat with -t' : ''}`);
  if (typeof timestamp === 'string') return { ms: iostatTime(timestamp), zone: null };
  const { date, time, tz } = recordOf(timestamp);
  const parsed = sampleTime(`${String(date)}T${String(time)}Z`);
  if (parsed === null) throw new FormatError('corrupt', 'sysstat: a time is none');
  return { ms: parsed.ms, zone: typeof tz === 'string' && !utc.test(tz) ? tz : null };
}

/** ISO 8601 or seconds (S_TIME_FORMAT), or as most locales print it: `06/01/2020 12:34:56 PM`, month first. */
const local = /^(\d{2})\/(\d{2})\/(\d{2}|\d{4}) (\d{2}):(\d{2}):(\d{2})(?: ([AP]M))?$/;

function iostatTime(text: string): number {
  const time = sampleTime(text);
  if (time !== null) return time.ms;
  const parts = local.exec(text);
  if (parts === null) throw new FormatError('unsupported', `iostat: the time ${text.slice(0, 40)}: set S_TIME_FORMAT=ISO`);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const hours = parts[7] === undefined ? hour : (hour % 12) + (parts[7] === 'PM' ? 12 : 0);
  return Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hours, minute, second);
}

/** Write and read bytes a second. */
function bytesOf(statistic: unknown): [number, number] {
  const devices = wholeDisks(devicesOf(statistic));
  if (devices.length > 0) return [sumOf(devices, 'write'), sumOf(devices, 'read')];
  const io = recordOf(recordOf(statistic)['io']);
  const [write, read] = [recordOf(io['io-writes'])['bwrtn'] ?? io['bwrtn'], recordOf(io['io-reads'])['bread'] ?? io['bread']];
  return [numberOf(write) * 512, numberOf(read) * 512];
}

/** Partitions are parts of their disks, groups sums of them; what maps disks (dm, md) counts their bytes again. */
function wholeDisks(devices: Device[]): Device[] {
  const names = new Set(devices.map(nameOf));
  const whole = devices.filter((device) => {
    const name = nameOf(device);
    const disk = /^(.*?\d)p\d+$/.exec(name)?.[1] ?? /^(\D+)\d+$/.exec(name)?.[1];
    return !name.startsWith(' ') && (disk === undefined || !names.has(disk));
  });
  const physical = whole.filter((device) => !/^(dm-|md|loop|ram|zram|sr)\d/.test(nameOf(device)));
  return physical.length > 0 ? physical : whole;
}

function nameOf(device: Device): string {
  const name = device['disk_device'] ?? device['disk-device'];
  return typeof name === 'string' ? name : '';
}

/** By the names of both programs, with the bytes of their units. */
const units: Record<'write' | 'read', [string, number][]> = {
  write: [
    ['wkB', 1024],
    ['wr_sec', 512],
    ['wkB/s', 1024],
    ['wMB/s', 1024 ** 2],
    ['wGB/s', 1024 ** 3],
    ['wsec/s', 512],
    ['kB_wrtn/s', 1024],
    ['MB_wrtn/s', 1024 ** 2],
    ['GB_wrtn/s', 1024 ** 3],
    ['Blk_wrtn/s', 512],
  ],
  read: [
    ['rkB', 1024],
    ['rd_sec', 512],
    ['rkB/s', 1024],
    ['rMB/s', 1024 ** 2],
    ['rGB/s', 1024 ** 3],
    ['rsec/s', 512],
    ['kB_read/s', 1024],
    ['MB_read/s', 1024 ** 2],
    ['GB_read/s', 1024 ** 3],
    ['Blk_read/s', 512],
  ],
};

function sumOf(devices: readonly Device[], direction: 'write' | 'read'): number {
  return devices.reduce((sum, device) => {
    const unit = units[direction].find(([name]) => Object.hasOwn(device, name));
    return unit === undefined ? NaN : sum + numberOf(device[unit[0]]) * unit[1];
  }, 0);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}
