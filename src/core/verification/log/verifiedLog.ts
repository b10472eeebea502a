/**
 * `.stowage/verified.json`: when the files of a path were last verified, and their values read, with what came of it. A directory's log has entries of what
 * is directly in it, by name. See docs/verify.md.
 */
import * as v from 'valibot';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { isSafeFileName } from '../../files/paths.js';
import type { LoggedValues, LoggedVerification } from '../../findings/loggedCheck.js';
import { toJson } from '../../text/json.js';
import type { FileState } from './fileState.js';

export const logName = 'verified.json';
/** In the directory that it is of. */
export const logPath = `.stowage/${logName}`;

/** What was read of one path, and the state of its files before that. */
export type LogEntry = (LoggedVerification | LoggedValues) & {
  /** Of the directory or file, in the directory that the log is of. */
  name: string;
  at: string;
  state: FileState;
};

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'is no time'),
);
/** Characters of a name: a file system has 255 bytes for it. */
const mostNameCharacters = 255;
/** Characters of a path: Windows has the longest. */
const mostPathCharacters = 32_767;

const common = {
  name: v.pipe(v.string(), v.maxLength(mostNameCharacters), v.check(isEntryName, 'is no name of a file')),
  at: time,
  state: v.object({
    files: count,
    newestMs: v.nullable(v.number()),
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  }),
};
const entrySchema = v.variant('what', [
  v.object({
    ...common,
    what: v.literal('verify'),
    matched: count,
    failed: count,
    unverifiable: count,
    extra: count,
    coveredBytes: count,
    ofBytes: count,
    by: v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(40)),
    manifest: v.nullable(v.pipe(v.string(), v.maxLength(mostPathCharacters))),
  }),
  v.object({
    ...common,
    what: v.literal('values'),
    tensors: count,
    notRead: count,
    notFinite: count,
    errors: count,
    bytesRead: count,
  }),
]);
const logSchema = v.object({
  kind: v.literal('stowage-verified'),
  schemaVersion: v.literal(1),
  entries: v.array(v.unknown()),
});

/** Whether a name can be one of an entry: a single part of a path. On Windows a backslash separates as well. */
export function isEntryName(name: string): boolean {
  return name.length <= mostNameCharacters && isSafeFileName(name) && !name.includes('/');
}

/**
 * Parses a log.
 * @throws FormatError `corrupt` for what is no log of this version, for an entry that does not fit, and for two of a kind and name; `limit-exceeded`
 */
export function parseLog(text: string): LogEntry[] {
  const parsed = v.safeParse(logSchema, jsonOf(text));
  if (!parsed.success) throw new FormatError('corrupt', 'it is no log of verifications of version 1');
  const { entries } = parsed.output;
  if (entries.length > limits.verifiedNames * 2)
    throw new FormatError('limit-exceeded', `it has ${entries.length} entries, more than ${limits.verifiedNames * 2}`);
  const seen = new Set<string>();
  return entries.map((value, index) => {
    const entry = v.safeParse(entrySchema, value);
    if (!entry.success) {
      const [issue] = entry.issues;
      throw new FormatError('corrupt', `entry ${index + 1} does not fit: ${v.getDotPath(issue) ?? 'it'}`);
    }
    const key = keyOf(entry.output);
    if (seen.has(key)) throw new FormatError('corrupt', `entry ${index + 1} is a second one of its kind and name`);
    seen.add(key);
    return entry.output;
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormatError('corrupt', 'it is no JSON');
  }
}

/** The entries with a new one in place of the last of its kind and name, the newest last; the oldest names beyond the limit are left out. */
export function withEntry(entries: readonly LogEntry[], entry: LogEntry): LogEntry[] {
  const key = keyOf(entry);
  const others = entries.filter((other) => keyOf(other) !== key).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const names = [...new Set([entry, ...others.toReversed()].map(({ name }) => name))];
  const kept = new Set(names.slice(0, limits.verifiedNames));
  return [...others.filter(({ name }) => kept.has(name)), entry];
}

/** The text of a log, which ends with a line break. The first entries are left out of one that would be larger than what is read. */
export function logText(entries: readonly LogEntry[]): string {
  for (let from = 0; ; from += Math.ceil((entries.length - from) / 8)) {
    const text = `${toJson({ kind: 'stowage-verified', schemaVersion: 1, entries: entries.slice(from) })}\n`;
    if (from >= entries.length - 1 || new TextEncoder().encode(text).byteLength <= limits.verifiedLogBytes) return text;
  }
}

function keyOf({ what, name }: Pick<LogEntry, 'what' | 'name'>): string {
  return `${what} ${name}`;
}
