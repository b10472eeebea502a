import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import { compareReports } from '../../core/comparison/compareReports.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import type { InspectProgress } from '../../core/inspection/inspect.js';
import { comparisonPage } from '../../core/pages/comparison/comparisonPage.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { renderComparisonTerminal } from '../../core/pages/plan/planTerminal.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import { sampleOf } from '../values/sampleOf.js';
import { jsonText, jsonTextPieces, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import { InputError } from '../useCaseError.js';
import type { CompareInput } from '../useCaseInputs.js';
import { changesMeanwhile } from './changesMeanwhile.js';
import { compareValues } from './compareValues.js';
import { openSide, type SideHooks } from './openSide.js';

/** Rows of a table in a terminal: two screens. */
const terminalRows = 60;

/** What a comparison reports while it runs: how far the inspection of each side is, then how far values are read. */
export interface ComparisonHooks extends Hooks<ValuesProgress>, Pick<SideHooks, 'pause'> {
  onInspecting?: (side: SideName, progress: InspectProgress) => void;
}

/**
 * Two checkpoints side by side.
 * @throws InputError, and PathError where a path cannot be read or is no single checkpoint
 */
export async function compareCheckpoints(
  platform: Pick<Platform, 'openTree' | 'readPairs'>,
  input: CompareInput,
  hooks: ComparisonHooks = {},
): Promise<Answer<ComparisonReport>> {
  const { signal } = hooks;
  const sample = sampleOf(input);
  if (input.values !== true && (sample !== undefined || input.sampleShare !== undefined))
    throw InputError.ofInput('sample', 'goes with values');
  const startMs = performance.now();
  const counter = { bytesRead: 0, reads: 0 };
  const a = await openSide(platform, input.a, counter, sideHooks('a', hooks));
  const b = await openSide(platform, input.b, counter, sideHooks('b', hooks));
  const compared = await compareReports(a, b, counter, signal);
  const report = input.values === true ? await compareValues(platform, { a, b, compared }, sample, hooks) : compared.report;
  const changes = [...(await changesMeanwhile(platform, a, 'a', signal)), ...(await changesMeanwhile(platform, b, 'b', signal))];
  report.findings = [...changes, ...report.findings];
  report.io.elapsedMs = Math.round((performance.now() - startMs) * 10) / 10;
  return {
    report,
    json: () => jsonText(report),
    jsonPieces: () => jsonTextPieces(report),
    markdown: () => comparisonMarkdown(comparisonPage(report)),
    terminal: (options) => renderComparisonTerminal(comparisonPage(report, terminalRows), options),
  };
}

function sideHooks(side: SideName, { signal, pause, onInspecting }: ComparisonHooks): SideHooks {
  return {
    ...(signal && { signal }),
    ...(pause && { pause }),
    ...(onInspecting && { onProgress: (progress) => onInspecting(side, progress) }),
  };
}
