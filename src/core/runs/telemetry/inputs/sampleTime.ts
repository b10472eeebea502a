/** Times of samples: ISO 8601, or seconds or milliseconds since 1970. */

/** Larger numbers are milliseconds: as seconds they are after the year 5000, and smaller ones as milliseconds before 1973. */
const leastMilliseconds = 1e11;
/** 2286 in milliseconds; larger numbers are microseconds, and a thousand times these nanoseconds. */
const [leastMicroseconds, leastNanoseconds] = [1e13, 1e16];

const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/;
const number = /^\d{1,19}(?:\.\d+)?$/;

export interface SampleTime {
  ms: number;
  /** False for a date and time without its distance from UTC: it is taken for UTC. */
  hasZone: boolean;
}

/** Null for what is no time. */
export function sampleTime(text: string): SampleTime | null {
  const plain = text.trim();
  if (number.test(plain)) return { ms: msOfNumber(Number(plain)), hasZone: true };
  const parts = iso.exec(plain);
  if (parts === null) return null;
  const [, date, time = '00:00', zone] = parts;
  const ms = Date.parse(`${date}T${time.replace(',', '.')}${zoneOf(zone)}`);
  return Number.isNaN(ms) ? null : { ms, hasZone: zone !== undefined };
}

/** Seconds, milliseconds, or what Parquet has besides: microseconds and nanoseconds. */
export function msOfNumber(value: number): number {
  if (value >= leastNanoseconds) return value / 1e6;
  if (value >= leastMicroseconds) return value / 1000;
  return value >= leastMilliseconds ? value : value * 1000;
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined || /^[A-Z]/.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
