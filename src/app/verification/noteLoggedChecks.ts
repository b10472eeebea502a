import { appendAll } from '../../core/bytes/appendAll.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { companionNames } from '../../core/files/companions.js';
import type { FileEntry, FileTree } from '../../core/files/fileTree.js';
import { baseName, joinPath, parentPath } from '../../core/files/paths.js';
import { describeFinding, limitFindings } from '../../core/findings/describeFindings.js';
import type { Finding } from '../../core/findings/finding.js';
import type { LoggedCheck } from '../../core/findings/loggedCheck.js';
import type { Report } from '../../core/inspection/report.js';
import { loggedDate, loggedItem, loggedState } from '../../core/pages/verification/loggedChecks.js';
import { fileStateOf, newerFiles } from '../../core/verification/log/fileState.js';
import { logPath, parseLog, type LogEntry } from '../../core/verification/log/verifiedLog.js';
import type { Platform } from '../platform.js';
import { directoryBeside, placeOf } from './besidePath.js';

type LogPlatform = Pick<Platform, 'nameOf' | 'folderOf' | 'pathIn' | 'logFile'>;

/** Items about checkpoints of a run, or parts of a collection, in a list of checks. */
const mostListed = 8;

/**
 * Adds to a report what the logs of `stowage verify --log` and `stowage values --log` have of its path, and of the checkpoints or parts in it. One small
 * file is read for each directory that has a log; `io` of the report is of the inspected files, and does not count it.
 * @throws FormatError `cancelled`
 */
export async function noteLoggedChecks(
  platform: LogPlatform,
  tree: FileTree,
  report: Report,
  signal?: AbortSignal,
): Promise<void> {
  const reading = new LogReading(platform, tree, report, signal);
  const checks = await reading.checks();
  appendAll(report.checks.notDone, reading.problems);
  if (checks.length === 0) return;
  report.loggedChecks = checks;
  const sentencesOf = (state: 'passed' | 'open'): string[] => listed(checks.filter((check) => loggedState(check) === state));
  appendAll(report.checks.done, sentencesOf('passed'));
  appendAll(report.checks.notDone, sentencesOf('open'));
  const failed = checks.filter((check) => loggedState(check) === 'failed').map((check) => describeFinding(findingOf(check)));
  if (failed.length > 0) report.findings = limitFindings([...report.findings, ...failed]);
}

/** As items of a list of checks. */
function listed(checks: readonly LoggedCheck[]): string[] {
  const items = checks.slice(0, mostListed).map(loggedItem);
  const rest = checks.length - items.length;
  return rest === 0 ? items : [...items, `${rest} more in the log`];
}

function findingOf(check: LoggedCheck): Finding {
  const { path } = check;
  const date = loggedDate(check);
  if (check.what === 'values')
    return { code: 'logged-values-not-finite', facts: { path, date, tensors: check.notFinite, of: check.tensors } };
  const { failed, matched, unverifiable, extra } = check;
  return {
    code: 'logged-verification-failed',
    facts: { path, date, files: failed, of: failed + matched + unverifiable + extra },
  };
}

/** The logs of what is reported. */
class LogReading {
  readonly problems: string[] = [];

  constructor(
    private readonly platform: LogPlatform,
    private readonly tree: FileTree,
    private readonly report: Report,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async checks(): Promise<LoggedCheck[]> {
    const place = placeOf(this.tree, this.report.path);
    const { entries } = await this.tree.list(this.signal);
    const logged = new Map<string, LogEntry[]>();
    const note = (path: string, name: string, log: readonly LogEntry[]): void => {
      const own = log.filter((entry) => entry.name === name);
      if (own.length > 0) logged.set(path, own);
    };
    note('', this.platform.nameOf(place), await this.read(directoryBeside(this.platform, place)));
    const logs = await this.logsBelow(place, entries);
    for (const path of partsOf(this.report)) note(path, baseName(path), logs.get(parentPath(path)) ?? []);
    if (logged.size === 0) return [];
    const files = filesOfParts(entries, new Set(logged.keys()));
    return [...logged].flatMap(([path, own]) => checksOf(path, own, files.get(path) ?? []));
  }

  /** Logs that are listed, of directories that have parts in them. */
  private async logsBelow(place: string, entries: readonly FileEntry[]): Promise<Map<string, LogEntry[]>> {
    const folders = new Set(partsOf(this.report).map(parentPath));
    const listed = entries.flatMap(({ path }) => {
      const folder = parentPath(parentPath(path));
      return path === joinPath(folder, logPath) && folders.has(folder) ? [folder] : [];
    });
    if (listed.length > limits.verifiedLogs)
      this.problems.push(`what ${listed.length - limits.verifiedLogs} other logs of verifications have`);
    const logs = new Map<string, LogEntry[]>();
    for (const folder of listed.slice(0, limits.verifiedLogs)) logs.set(folder, await this.read(this.folderAt(place, folder)));
    return logs;
  }

  private folderAt(place: string, path: string): string {
    return path === '' ? place : path.split('/').reduce((folder, name) => this.platform.pathIn(folder, name), place);
  }

  /** None of a log that cannot be used, which is a problem. */
  private async read(folder: string): Promise<LogEntry[]> {
    const log = this.platform.logFile(folder);
    try {
      const text = await log.read();
      return text === null ? [] : parseLog(text);
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      this.problems.push(`what the log of verifications has, which cannot be used (${log.path}): ${error.detail}`);
      return [];
    }
  }
}

/** Checkpoints of a run and parts of a collection, which may have entries of their own. */
function partsOf(report: Report): string[] {
  const parts = report.kind === 'collection' ? report.parts : report.kind === 'checkpoint' ? (report.run?.checkpoints ?? []) : [];
  return [...new Set(parts.map(({ path }) => path))].filter((path) => path !== '');
}

function checksOf(path: string, entries: readonly LogEntry[], files: readonly FileEntry[]): LoggedCheck[] {
  const now = fileStateOf(files);
  return entries.map(({ name: _name, state, ...found }) => ({
    path,
    ...found,
    files: state.files,
    changed:
      now.digest === state.digest
        ? null
        : { files: now.files, newer: state.newestMs === null ? 0 : newerFiles(files, state.newestMs) },
  }));
}

/**
 * The files that a listing of each part by itself has, relative to it: those of a directory, or a file with those that belong to it.
 * @param parts paths, of which the empty one is all of it
 */
function filesOfParts(entries: readonly FileEntry[], parts: ReadonlySet<string>): Map<string, FileEntry[]> {
  const byPath = new Map<string, FileEntry[]>();
  const add = (part: string, entry: FileEntry, path: string): void => {
    const files = byPath.get(part);
    if (files === undefined) byPath.set(part, [{ ...entry, path }]);
    else files.push({ ...entry, path });
  };
  const companions = new Map(
    [...parts].flatMap((part) => companionNames(baseName(part)).map((name) => [joinPath(parentPath(part), name), part] as const)),
  );
  const single = new Set(entries.map(({ path }) => path).filter((path) => parts.has(path)));
  for (const entry of entries) {
    const { path } = entry;
    if (parts.has('')) add('', entry, path);
    const file = single.has(path) ? path : companions.get(path);
    if (file !== undefined && single.has(file)) add(file, entry, baseName(path));
    for (let at = parentPath(path); at !== ''; at = parentPath(at)) if (parts.has(at)) add(at, entry, path.slice(at.length + 1));
  }
  return byPath;
}
