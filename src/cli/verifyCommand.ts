import { resolve } from 'node:path';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import { FormatError } from '../core/bytes/formatError.js';
import { formatBytes } from '../core/text/units.js';
import { visibleText } from '../core/text/visibleText.js';
import { useCases } from '../app/useCases.js';
import type { VerifyInput } from '../app/useCaseInputs.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { untilInterrupted } from './untilInterrupted.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  create: { type: 'boolean' },
  output: { type: 'string' },
  inside: { type: 'boolean' },
  manifest: { type: 'string' },
  against: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

/** `stowage verify`; answers the exit code. */
export async function runVerify(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('verify takes one path');
  refuseTwoForms(values);
  refuseMixed(values);
  const input: VerifyInput = {
    path,
    ...given('create', values.create),
    ...given('output', values.output === undefined ? undefined : resolve(values.output)),
    ...given('inside', values.inside),
    ...given('manifest', values.manifest),
    ...given('against', values.against),
  };
  return untilInterrupted(async (signal) => {
    const progress = new ProgressLine();
    try {
      const answer = await useCases.verify.run(createNodePlatform(__filename), input, {
        signal,
        onProgress: (state) => progress.show(state),
      });
      progress.clear();
      await writeAnswer(answer, values, wideEnough);
      if (values.create === true) sayWritten(path, answer.report.manifest);
      return answer.report.failed > 0 ? exitCode.findings : exitCode.done;
    } catch (error) {
      progress.clear();
      if (!FormatError.is(error, 'cancelled')) throw error;
      process.stderr.write('stowage: cancelled\n');
      return exitCode.cancelled;
    }
  });
}

/** Width of the table where there is no terminal. */
const wideEnough = 160;

function refuseMixed({ create, output, inside, manifest, against }: Values): void {
  if (create !== true && (output !== undefined || inside === true))
    throw new UsageError('--output and --inside go with --create');
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
