import { CheckError } from '../../core/bandwidth/checkError.js';
import { previewCheck, type CheckPreview } from '../../core/bandwidth/checkPreview.js';
import type { SlurmOptions } from '../../core/bandwidth/jobs/slurmOptions.js';
import { toolScript } from '../../core/bandwidth/jobs/toolScript.js';
import type { CheckRequest } from '../../core/bandwidth/measurement.js';
import type { TargetFacts } from '../../core/bandwidth/targetFacts.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { renderBandwidthMarkdown } from '../../core/pages/bandwidth/bandwidthMarkdown.js';
import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';
import { renderBandwidthTerminal } from '../../core/pages/bandwidth/bandwidthTerminal.js';
import { checkErrorInWords } from '../../core/pages/bandwidth/checkErrorWords.js';
import { makeBandwidthReport } from '../../core/bandwidth/makeBandwidthReport.js';
import { combineNodes, nodesReport } from '../../core/bandwidth/nodesReport.js';
import { cautionInWords, otherCheckInWords, previewLines } from '../../core/pages/bandwidth/previewLines.js';
import { visibleText } from '../../core/text/visibleText.js';
import type { BandwidthService } from '../../platform/bandwidth/bandwidthService.js';
import { listShape } from '../../platform/bandwidth/listShape.js';
import { createNodeBandwidthService } from '../../platform/bandwidth/nodeBandwidthService.js';
import { createObjectStoreService } from '../../platform/bandwidth/objectStore/objectStoreService.js';
import { isObjectStoreTarget } from '../../platform/bandwidth/objectStore/objectStoreTarget.js';
import { exitCode } from '../exitCode.js';
import { UsageError } from '../usageError.js';
import { writeOut } from '../writeOut.js';
import { ask } from './ask.js';
import { readBandwidthFlags, type BandwidthFlags } from './bandwidthFlags.js';
import { measureOnNodes } from './onNodes.js';
import { ProgressBar } from './progressBar.js';
import { untilInterrupted } from './untilInterrupted.js';

/** `stowage bandwidth`; answers the exit code. */
export async function runBandwidth(args: readonly string[]): Promise<number> {
  const flags = readBandwidthFlags(args);
  const service = serviceOf(flags);
  return untilInterrupted(async (signal) => {
    try {
      const preview = await previewOf(flags, service, signal);
      return await check(flags, service, preview, signal);
    } catch (error) {
      return failed(flags.settings.target, error);
    }
  });
}

function serviceOf({ settings, values }: BandwidthFlags): BandwidthService {
  if (!isObjectStoreTarget(settings.target)) return createNodeBandwidthService({ threadFile: __filename });
  const { endpoint = null, region = null, profile = null } = values;
  return createObjectStoreService({ endpoint, region, profile });
}

/** Facts are asked for again where something that an earlier check left was removed. */
async function previewOf(flags: BandwidthFlags, service: BandwidthService, signal: AbortSignal): Promise<CheckPreview> {
  const { settings } = flags;
  const real = settings.like === null ? null : await listShape(settings.like, signal);
  let facts = await service.facts(settings.target, signal);
  if (await removeLeft(flags, service, facts, signal)) facts = await service.facts(settings.target, signal);
  // The nodes of a job write, and not the one on which it is submitted.
  if (flags.slurm !== null) facts = { ...facts, loginNode: null };
  return previewCheck(settings, facts, real, flags.slurm?.nodes ?? 1);
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
    say(otherCheckInWords(other));
    if (other.state !== 'left') continue;
    if (values['remove-left'] !== true && !(await ask('Remove it?', signal))) continue;
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
  const { request, refusal } = preview;
  if (request === null) throw new CheckError(refusal?.code ?? 'bad-setting', refusal?.detail ?? '');
  if (flags.tool !== null) {
    await writeOut(toolScript(flags.tool, request, flags.slurm));
    return exitCode.done;
  }
  for (const line of previewLines(preview, flags.slurm?.nodes)) say(line);
  if (flags.slurm !== null) return checkOnNodes(flags, flags.slurm, preview, request, signal);
  if (!(await isConfirmed(flags, preview, signal))) return exitCode.usage;
  const measurement = await measured(service, request, signal);
  return show(makeBandwidthReport(flags.settings, request, preview.facts, measurement), flags);
}

async function checkOnNodes(
  flags: BandwidthFlags,
  slurm: SlurmOptions,
  preview: CheckPreview,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<number> {
  const isAgreed = (): Promise<boolean> => isConfirmed(flags, preview, signal);
  const promise = previewLines(preview, slurm.nodes);
  const folder = flags.values['job-folder'] ?? '.';
  const measurement = await measureOnNodes(request, slurm, promise, folder, { isConfirmed: isAgreed, say }, signal);
  if (measurement === null) return exitCode.usage;
  const together = combineNodes(measurement);
  return show(makeBandwidthReport(flags.settings, request, preview.facts, together, nodesReport(measurement)), flags);
}

/** Once, and once more where others could suffer from it. */
async function isConfirmed({ values }: BandwidthFlags, { cautions }: CheckPreview, signal: AbortSignal): Promise<boolean> {
  if (values.yes !== true && !(await ask('Start the check?', signal))) {
    say('Nothing was written: --yes starts the check without asking.');
    return false;
  }
  for (const caution of cautions) say(cautionInWords(caution));
  if (cautions.length === 0 || values['accept-cautions'] === true || (await ask('Start it nevertheless?', signal))) return true;
  say('Nothing was written: --accept-cautions starts the check nevertheless.');
  return false;
}

async function measured(service: BandwidthService, request: CheckRequest, signal: AbortSignal) {
  const bar = new ProgressBar();
  try {
    return await service.run(request, { onProgress: (progress) => bar.show(progress) }, signal);
  } finally {
    bar.clear();
  }
}

async function show(report: BandwidthReport, { values }: BandwidthFlags): Promise<number> {
  if (values.json === true) await writeOut(`${JSON.stringify(report, null, 2)}\n`);
  else if (values.markdown === true) await writeOut(renderBandwidthMarkdown(report));
  else {
    const color = values['no-color'] !== true && process.env['NO_COLOR'] === undefined && process.stdout.isTTY;
    await writeOut(renderBandwidthTerminal(report, { width: process.stdout.columns || 100, color }));
  }
  return exitCode.done;
}

function failed(target: string, error: unknown): number {
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
