import { resolve } from 'node:path';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import { FormatError } from '../core/bytes/formatError.js';
import { formatBytes } from '../core/text/units.js';
import { visibleText } from '../core/text/visibleText.js';
import type { VerificationReport } from '../core/verification/verification.js';
import type { Answer } from '../app/answer.js';
import { useCases } from '../app/useCases.js';
import type { VerifyInput } from '../app/useCaseInputs.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { isWritten } from './isWritten.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { arrayFlags, arrayPlaceOf, notRun, pathOrGathered, type ArrayPlace } from './jobs/arrayFlags.js';
import { gatherArray, runArray } from './jobs/runArray.js';
import { untilInterrupted } from './untilInterrupted.js';
import { remoteFlags, remoteOptions } from './remoteFlags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  ...remoteFlags,
  ...arrayFlags,
  create: { type: 'boolean' },
  output: { type: 'string' },
  inside: { type: 'boolean' },
  replace: { type: 'boolean' },
  manifest: { type: 'string' },
  against: { type: 'string' },
  log: { type: 'boolean' },
  'require-coverage': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

/** `stowage verify`; answers the exit code. */
export async function runVerify(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  refuseTwoForms(values);
  refuseMixed(values);
  const requiredShare = shareOf(values['require-coverage']);
  const place = arrayPlaceOf(values);
  const path = pathOrGathered(positionals, values, 'verify');
  // Other nodes have other working directories.
  const absolute = (text: string): string => (place === null ? text : resolve(text));
  const input: VerifyInput = {
    path: absolute(path),
    ...given('create', values.create),
    ...given('output', values.output === undefined ? undefined : resolve(values.output)),
    ...given('inside', values.inside),
    ...given('replace', values.replace),
    ...given('manifest', values.manifest === undefined ? undefined : absolute(values.manifest)),
    ...given('against', values.against),
    ...given('log', values.log),
  };
  return untilInterrupted(async (signal) => {
    const progress = new ProgressLine();
    try {
      const answer = await answerOf(input, values, place, progress, signal);
      progress.clear();
      return answer === null ? notRun(place) : await show(answer, values, requiredShare);
    } catch (error) {
      progress.clear();
      if (!FormatError.is(error, 'cancelled')) throw error;
      process.stderr.write(`stowage: ${visibleText(error.detail)}\n`);
      return exitCode.cancelled;
    }
  });
}

async function answerOf(
  input: VerifyInput,
  values: Values,
  place: ArrayPlace | null,
  progress: ProgressLine,
  signal: AbortSignal,
): Promise<Answer<VerificationReport> | null> {
  const { gather: gathered } = values;
  const platform = createNodePlatform(__filename, remoteOptions(values));
  if (gathered !== undefined) return gatherArray(platform, 'verify', resolve(gathered), signal);
  if (place !== null) return runArray(platform, 'verify', input, place, signal);
  return useCases.verify.run(platform, input, { signal, onProgress: (state) => progress.show(state) });
}

async function show(answer: Answer<VerificationReport>, values: Values, requiredShare: number | null): Promise<number> {
  const { report } = answer;
  await writeAnswer(answer, values, wideEnough);
  if (report.created) sayWritten(report.path, report.manifest);
  const isCovered = requiredShare === null || isCoveredBy(report, requiredShare);
  return isCovered ? exitCodeOf(report) : exitCode.findings;
}

/** Nothing is covered where nothing was compared, of no bytes too. */
function isCoveredBy({ files }: VerificationReport, share: number): boolean {
  const covered = files.reduce((sum, { coverage }) => sum + coverage.bytes, 0);
  const all = files.reduce((sum, { coverage }) => sum + coverage.of, 0);
  if (files.some(({ by }) => by.length > 0) && covered >= share * all) return true;
  process.stderr.write(
    `stowage: checksums cover ${formatBytes(covered)} of ${formatBytes(all)}, less than --require-coverage asks for\n`,
  );
  return false;
}

/** `100%` or `0.99`; null where none is required. @throws UsageError */
function shareOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!(share > 0 && share <= 1)) throw new UsageError('--require-coverage takes a share such as 100% or 0.99');
  return share;
}

/** Width of the table where there is no terminal. */
const wideEnough = 160;

/** What failed comes before a log that was not written. */
function exitCodeOf({ failed, log }: VerificationReport): number {
  if (failed > 0) return exitCode.findings;
  return isWritten(log) ? exitCode.done : exitCode.unreadable;
}

function refuseMixed(values: Values): void {
  const { create, output, inside, replace, manifest, against, log, nodes } = values;
  if (create === true && values['require-coverage'] !== undefined)
    throw new UsageError('--require-coverage is of files that are compared, not of --create');
  if (log === true && against !== undefined) throw new UsageError('--log goes with files that are read, not with --against');
  if (against !== undefined && nodes !== undefined) throw new UsageError('--against reads no file: it takes no --nodes');
  if (create !== true && (output !== undefined || inside === true || replace === true))
    throw new UsageError('--output, --inside and --replace go with --create');
  if (output !== undefined && inside === true) throw new UsageError('--output and --inside exclude each other');
  if (create === true && (manifest !== undefined || against !== undefined))
    throw new UsageError('--create and a manifest to compare with exclude each other');
}

function sayWritten(path: string, manifest: string | null): void {
  if (manifest === null) return;
  const list = manifest.replace(/stowage-manifest\.json$/, 'SHA256SUMS');
  process.stderr.write(
    `Wrote ${visibleText(manifest)} and ${visibleText(list)}, whose names are relative to ${visibleText(path)}.\n`,
  );
}

/** A line of standard error that says how far it is, in a terminal only. */
class ProgressLine {
  private shownMs = 0;

  show({ doneBytes, totalBytes, doneFiles, totalFiles }: VerifyProgress): void {
    if (!process.stderr.isTTY || Date.now() - this.shownMs < 100) return;
    this.shownMs = Date.now();
    process.stderr.write(`\r\x1b[K${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}, ${doneFiles} of ${totalFiles} files`);
  }

  clear(): void {
    if (this.shownMs > 0) process.stderr.write('\r\x1b[K');
  }
}
