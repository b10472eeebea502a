/** What the log beside a path has of readings of all its bytes, in words: what was found when, and whether files changed since. */
import type { LoggedCheck, LoggedValues, LoggedVerification, LogOutcome } from '../../findings/loggedCheck.js';
import { capitalized } from '../../text/capitalized.js';
import { localTime } from '../../text/localTime.js';
import { counted } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

/** Sentences about checkpoints of a run, or parts of a collection. */
const mostSentences = 8;

/** What a logged check says of the files as they are: `failed` where what is wrong is still there. */
export type LoggedState = 'passed' | 'failed' | 'open';

/** `open` where files changed since, and where nothing was compared or read. */
export function loggedState(check: LoggedCheck): LoggedState {
  if (check.changed !== null) return 'open';
  if (check.what === 'values' && check.notFinite === 0) return check.tensors > 0 && check.errors === 0 ? 'passed' : 'open';
  if (check.what === 'values') return 'failed';
  return check.failed > 0 ? 'failed' : check.matched > 0 ? 'passed' : 'open';
}

/** `Checksums: all 12 files matched on 2026-11-20 (94 % of bytes covered). Names, sizes and times of files are the same since.` */
export function loggedSentence(check: LoggedCheck): string {
  return `${capitalized(foundWords(check))}. ${capitalized(sinceWords(check))}.`;
}

/** The same as an item of a list of checks. */
export function loggedItem(check: LoggedCheck): string {
  return `${foundWords(check)}; ${sinceWords(check)}`;
}

function foundWords(check: LoggedCheck): string {
  const date = loggedDate(check);
  const where = check.path === '' ? '' : ` of ${visibleText(check.path)}`;
  return check.what === 'verify'
    ? `checksums${where}: ${verificationWords(check, date)}`
    : `values${where}: ${valuesWords(check, date)}`;
}

/** Sentences of what passed before and has not changed since; those that did not are findings, or checks that were not done. */
export function passedBefore({ loggedChecks = [] }: { loggedChecks?: readonly LoggedCheck[] }): string[] {
  const passed = loggedChecks.filter((check) => loggedState(check) === 'passed');
  const rest = passed.length - mostSentences;
  return [...passed.slice(0, mostSentences).map(loggedSentence), ...(rest > 0 ? [`${formatCount(rest)} more in the log.`] : [])];
}

/** The day in the reader's time zone. */
export function loggedDate({ at }: Pick<LoggedCheck, 'at'>): string {
  return localTime(Date.parse(at)).slice(0, 10);
}

function verificationWords(check: LoggedVerification, date: string): string {
  const { matched, failed, unverifiable, extra, coveredBytes, ofBytes } = check;
  const all = matched + failed + unverifiable + extra;
  const covered = `(${coveredShare(coveredBytes, ofBytes)} of bytes covered)`;
  if (failed > 0) return `${formatCount(failed)} of ${counted(all, 'file')} failed on ${date} ${covered}`;
  if (matched === 0) return `none covered any of ${counted(all, 'file')} on ${date}`;
  const whole = all === 1 ? 'the file' : `all ${counted(all, 'file')}`;
  return `${matched === all ? whole : `${formatCount(matched)} of ${counted(all, 'file')}`} matched on ${date} ${covered}`;
}

function valuesWords({ tensors, notRead, notFinite, errors, bytesRead }: LoggedValues, date: string): string {
  const all = tensors + notRead;
  const left = errors === 0 ? '' : `, and the inspection had ${counted(errors, 'error')}`;
  if (tensors === 0) return `those of ${counted(all, 'tensor')} were not read on ${date}${left}`;
  const read = `${notRead === 0 ? counted(tensors, 'tensor') : `${formatCount(tensors)} of ${counted(all, 'tensor')}`} read on ${date} (${formatBytes(bytesRead)})${left}`;
  return notFinite > 0
    ? `NaN or Inf in ${counted(notFinite, 'tensor')}, ${read}`
    : `no NaN and no Inf in weights and optimizer state, ${read}`;
}

function sinceWords({ files, changed }: LoggedCheck): string {
  if (changed === null) return 'names, sizes and times of files are the same since';
  const reasons = [
    ...(changed.newer > 0 ? [`${counted(changed.newer, 'file')} ${changed.newer === 1 ? 'is' : 'are'} newer`] : []),
    ...(changed.files === files
      ? []
      : [`${counted(changed.files, 'file')} ${changed.files === 1 ? 'is' : 'are'} here in place of ${formatCount(files)}`]),
  ];
  return `changed since: ${reasons.length === 0 ? 'names, sizes or times of files differ' : reasons.join(', ')}`;
}

/** `94 %`: 100 only where no byte is left out. */
export function coveredShare(bytes: number, of: number): string {
  if (bytes >= of) return '100 %';
  return `${Math.min(99.9, Math.floor((1000 * bytes) / of) / 10)} %`;
}

/** `Logged in …`, or why it was not; empty where that was not asked for. */
export function logOutcomeWords(log: LogOutcome | undefined): string[] {
  if (log === undefined) return [];
  const { path, problem } = log;
  return [problem === null ? `Logged in ${visibleText(path)}.` : `Not logged in ${visibleText(path)}: ${visibleText(problem)}.`];
}
