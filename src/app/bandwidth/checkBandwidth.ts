import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';
import type { CheckPreview } from '../../core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';
import { makeBandwidthReport } from '../../core/bandwidth/makeBandwidthReport.js';
import type { CheckProgress } from '../../core/bandwidth/measurement.js';
import { renderBandwidthMarkdown } from '../../core/pages/bandwidth/bandwidthMarkdown.js';
import { renderBandwidthTerminal } from '../../core/pages/bandwidth/bandwidthTerminal.js';
import { previewLines } from '../../core/pages/bandwidth/previewLines.js';
import { jsonText, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import type { CheckInput } from '../useCaseInputs.js';
import type { BandwidthService } from './bandwidthService.js';
import { checkSettings } from './checkSettings.js';
import { previewBandwidth } from './previewBandwidth.js';
import { requestOf } from './requestOf.js';

/** What a check would write and where; nothing is written. @throws CheckError, FormatError */
export async function previewOfCheck(platform: Platform, input: CheckInput, hooks: Hooks = {}): Promise<Answer<CheckPreview>> {
  const { preview } = await prepared(platform, input, hooks.signal);
  const lines = (): string => `${previewLines(preview).join('\n')}\n`;
  return { report: preview, json: () => jsonText(preview), markdown: lines, terminal: lines };
}

/**
 * Writes and reads back files like a checkpoint's, and removes them. Show the preview to the user first.
 * @throws CheckError, `cancelled` after everything was removed; FormatError
 */
export async function checkBandwidth(
  platform: Platform,
  input: CheckInput,
  hooks: Hooks<CheckProgress> = {},
): Promise<Answer<BandwidthReport>> {
  const { settings, service, preview } = await prepared(platform, input, hooks.signal);
  return bandwidthAnswer(await measureBandwidth(service, settings, preview, hooks));
}

/** Makes the check of a preview. @throws CheckError */
export async function measureBandwidth(
  service: Pick<BandwidthService, 'run'>,
  settings: CheckSettings,
  preview: CheckPreview,
  { onProgress = () => undefined, signal = new AbortController().signal }: Hooks<CheckProgress>,
): Promise<BandwidthReport> {
  const request = requestOf(preview);
  const measurement = await service.run(request, { onProgress }, signal);
  return makeBandwidthReport({ settings, request, facts: preview.facts, measurement });
}

/** The forms of a report of a check. */
export function bandwidthAnswer(report: BandwidthReport): Answer<BandwidthReport> {
  return {
    report,
    json: () => jsonText(report),
    markdown: () => renderBandwidthMarkdown(report),
    terminal: (options) => renderBandwidthTerminal(report, options),
  };
}

interface PreparedCheck {
  settings: CheckSettings;
  service: BandwidthService;
  preview: CheckPreview;
}

async function prepared(
  platform: Platform,
  { endpoint, region, profile, ...given }: CheckInput,
  signal: AbortSignal | undefined,
): Promise<PreparedCheck> {
  const settings = checkSettings(given);
  const store = { endpoint: endpoint ?? null, region: region ?? null, profile: profile ?? null };
  const service = await platform.bandwidthService(settings.target, store);
  return { settings, service, preview: await previewBandwidth(platform, service, settings, { signal }) };
}
