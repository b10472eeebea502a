import type { BandwidthService } from '../../app/bandwidth/bandwidthService.js';
import { bandwidthAnswer, measureBandwidth } from '../../app/bandwidth/checkBandwidth.js';
import { previewBandwidth } from '../../app/bandwidth/previewBandwidth.js';
import { requestOf } from '../../app/bandwidth/requestOf.js';
import type { Platform } from '../../app/platform.js';
import { CheckError } from '../../core/bandwidth/checkError.js';
import type { CheckPreview } from '../../core/bandwidth/checkPreview.js';
import { JobError } from '../../core/jobs/jobError.js';
import type { SlurmOptions } from '../../core/jobs/slurmOptions.js';
import { toolScript } from '../../core/bandwidth/jobs/toolScript.js';
import type { TargetFacts } from '../../core/bandwidth/targetFacts.js';
import { FormatError } from '../../core/bytes/formatError.js';
import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';
import { checkErrorInWords } from '../../core/pages/bandwidth/checkErrorWords.js';
import { makeBandwidthReport } from '../../core/bandwidth/makeBandwidthReport.js';
import { combineNodes, nodesReport } from '../../core/bandwidth/nodesReport.js';
import { warningInWords, otherCheckInWords, previewLines } from '../../core/pages/bandwidth/previewLines.js';
import { visibleText } from '../../core/text/visibleText.js';
import { asCheckError } from '../../platform/bandwidth/cluster/asCheckError.js';
import { createNodePlatform } from '../../platform/nodePlatform.js';
import { exitCode } from '../exitCode.js';
import { UsageError } from '../usageError.js';
import { writeAnswer } from '../writeAnswer.js';
import { writeOut } from '../writeOut.js';
import { ask } from '../ask.js';
import { readBandwidthFlags, type BandwidthFlags } from './bandwidthFlags.js';
import { measureOnNodes } from './onNodes.js';
import { writeBandwidthMarkdown } from './bandwidthMarkdownFiles.js';
import { ProgressBar } from './progressBar.js';
import { untilInterrupted } from '../untilInterrupted.js';

/** `stowage bandwidth`; answers the exit code. */
export async function runBandwidth(args: readonly string[]): Promise<number> {
  const flags = readBandwidthFlags(args);
  const { endpoint = null, region = null, profile = null } = flags.values;
  const platform = createNodePlatform(__filename);
  const service = await platform.bandwidthService(flags.settings.target, { endpoint, region, profile });
  return untilInterrupted(async (signal) => {
    try {
      const preview = await previewOf(platform, service, flags, signal);
      return await check(flags, service, preview, signal);
    } catch (error) {
      return failed(flags.settings.target, error);
    }
  });
}

/** The preview, made again after the files of an earlier check were removed. */
async function previewOf(
  platform: Platform,
  service: BandwidthService,
  flags: BandwidthFlags,
  signal: AbortSignal,
): Promise<CheckPreview> {
  const preview = (): Promise<CheckPreview> =>
    previewBandwidth(platform, service, flags.settings, { nodes: flags.slurm?.nodes ?? null, signal });
  const first = await preview();
  return (await removeLeft(flags, service, first.facts, signal)) ? preview() : first;
}

/** Tells of other checks; removes what one left behind where that is asked for. True where something was removed. */
async function removeLeft(
  { values }: BandwidthFlags,
  service: BandwidthService,
  facts: TargetFacts,
  signal: AbortSignal,
): Promise<boolean> {
  let removed = false;
  for (const other of facts.others) {
    const isAsked = other.state === 'left' && values['remove-left'] !== true;
    say(`${otherCheckInWords(other)}${isAsked ? ' --remove-left removes it.' : ''}`);
    if (other.state !== 'left') continue;
    if (isAsked && !(await ask('Remove it?', signal))) continue;
    await service.removeLeft(other.path);
    say(`Removed ${other.path}.`);
    removed = true;
  }
  return removed;
}

async function check(
  flags: BandwidthFlags,
  service: BandwidthService,
  preview: CheckPreview,
  signal: AbortSignal,
): Promise<number> {
  const request = requestOf(preview);
  if (flags.tool !== null) {
    await writeOut(toolScript(flags.tool, request, flags.slurm));
    return exitCode.done;
  }
  for (const line of previewLines(preview, flags.slurm?.nodes)) say(line);
  if (flags.slurm !== null) return checkOnNodes(flags, flags.slurm, preview, signal);
  if (!(await isConfirmed(flags, preview, signal))) return exitCode.usage;
  return show(await measured(service, flags, preview, signal), flags);
}

async function checkOnNodes(
  flags: BandwidthFlags,
  slurm: SlurmOptions,
  preview: CheckPreview,
  signal: AbortSignal,
): Promise<number> {
  const { settings, values } = flags;
  const request = requestOf(preview);
  const job = { request, options: slurm, promise: previewLines(preview, slurm.nodes), parent: values['job-folder'] ?? '.' };
  const measured = await measureOnNodes(job, { isConfirmed: () => isConfirmed(flags, preview, signal), say }, signal);
  if (measured === null) return exitCode.usage;
  const check = { settings, request, facts: preview.facts, measurement: combineNodes(measured) };
  return show(makeBandwidthReport(check, nodesReport(measured)), flags);
}

/** Once, and once more where others could suffer from it. */
async function isConfirmed(
  { values, acceptsWarnings }: BandwidthFlags,
  { warnings }: CheckPreview,
  signal: AbortSignal,
): Promise<boolean> {
  if (values.yes !== true && !(await ask('Start the check?', signal))) {
    say('Nothing was written: --yes starts the check without asking.');
    return false;
  }
  for (const warning of warnings) say(warningInWords(warning));
  if (warnings.length === 0 || acceptsWarnings || (await ask('Start it anyway?', signal))) return true;
  say('Nothing was written: --accept-warnings starts the check anyway.');
  return false;
}

async function measured(
  service: BandwidthService,
  { settings }: BandwidthFlags,
  preview: CheckPreview,
  signal: AbortSignal,
): Promise<BandwidthReport> {
  const bar = new ProgressBar();
  const tellOfEnd = (): void => {
    bar.clear();
    say('The check ends, and removes what it wrote. Ctrl-C again ends it at once, and leaves that.');
  };
  signal.addEventListener('abort', tellOfEnd, { once: true });
  try {
    return await measureBandwidth(service, settings, preview, { onProgress: (progress) => bar.show(progress), signal });
  } finally {
    signal.removeEventListener('abort', tellOfEnd);
    bar.clear();
  }
}

async function show(report: BandwidthReport, { values }: BandwidthFlags): Promise<number> {
  const code = values.output === undefined ? exitCode.done : await writeBandwidthMarkdown(values.output, report);
  // What took minutes to measure is not lost where the file cannot be written.
  if (values.output === undefined || code !== exitCode.done) await writeAnswer(bandwidthAnswer(report), values);
  return code;
}

function failed(target: string, thrown: unknown): number {
  const error = JobError.is(thrown) ? asCheckError(thrown) : thrown;
  if (CheckError.is(error, 'bad-setting')) throw new UsageError(error.detail);
  if (CheckError.is(error)) {
    say(`stowage: ${target}: ${checkErrorInWords(error.code, error.detail)}`);
    return error.code === 'cancelled' ? exitCode.cancelled : exitCode.unreadable;
  }
  if (FormatError.is(error)) {
    say(`stowage: the checkpoint to replay cannot be listed: ${error.detail}`);
    return error.code === 'cancelled' ? exitCode.cancelled : exitCode.unreadable;
  }
  throw error;
}

function say(line: string): void {
  process.stderr.write(`${visibleText(line)}\n`);
}
