import type { ReadCounter } from '../../core/bytes/countingSource.js';
import type { ComparedCheckpoint, SideName } from '../../core/comparison/comparedCheckpoint.js';
import { compareReports } from '../../core/comparison/compareReports.js';
import type { ComparisonReport, Sides } from '../../core/comparison/comparisonReport.js';
import type { HeldValues } from '../../core/comparison/values/heldValues.js';
import type { InspectProgress } from '../../core/inspection/inspect.js';
import { comparisonPage } from '../../core/pages/comparison/comparisonPage.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { renderComparisonTerminal } from '../../core/pages/plan/planTerminal.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { Sample } from '../../core/values/valueTask.js';
import { sampleOf } from '../values/sampleOf.js';
import { jsonText, jsonTextPieces, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import { InputError } from '../useCaseError.js';
import type { CompareInput } from '../useCaseInputs.js';
import { changesMeanwhile } from './changesMeanwhile.js';
import { compareValues } from './compareValues.js';
import { openSide, type SideHooks } from './openSide.js';

type ComparedPlatform = Pick<Platform, 'openTree' | 'readPairs'>;

/** Rows of a table in a terminal: two screens. */
const terminalRows = 60;

/** What a comparison reports while it runs: how far the inspections of both sides are together, then how far values are read. */
export interface ComparisonHooks extends Hooks<ValuesProgress>, Pick<SideHooks, 'pause'> {
  onInspecting?: (progress: InspectProgress) => void;
}

/** Both sides, inspected: compared as often as is asked for. */
export interface OpenedSides extends Sides<ComparedCheckpoint> {
  /** Of both inspections, and of all that was read for comparisons. */
  counter: ReadCounter;
}

/** What came of a comparison. */
export interface Compared {
  answer: Answer<ComparisonReport>;
  /** What was read of values; null where none were asked for. */
  values: HeldValues | null;
}

/**
 * Two checkpoints side by side.
 * @throws InputError, and PathError where a path cannot be read or is no single checkpoint
 */
export async function compareCheckpoints(
  platform: ComparedPlatform,
  input: CompareInput,
  hooks: ComparisonHooks = {},
): Promise<Answer<ComparisonReport>> {
  valuesOf(input);
  const startMs = performance.now();
  const { answer } = await compareSides(platform, await openSides(platform, input, hooks), input, hooks);
  answer.report.io.elapsedMs = elapsedSince(startMs);
  return answer;
}

/**
 * Inspects both sides at once, so that one works while the other waits for its files. Where one cannot be inspected, the other one is cancelled.
 * @throws PathError where a path cannot be read or is no single checkpoint; FormatError `cancelled`
 */
export async function openSides(
  platform: Pick<Platform, 'openTree'>,
  paths: Sides<string>,
  { signal, pause, onInspecting }: ComparisonHooks,
): Promise<OpenedSides> {
  const counter = { bytesRead: 0, reads: 0 };
  const either = new AbortController();
  const shared = signal === undefined ? either.signal : AbortSignal.any([signal, either.signal]);
  const progress = new Map<SideName, InspectProgress>();
  const open = async (side: SideName): Promise<ComparedCheckpoint> => {
    const onProgress = (one: InspectProgress): void => {
      progress.set(side, one);
      onInspecting?.(together([...progress.values()], one));
    };
    try {
      return await openSide(platform, paths[side], counter, { signal: shared, onProgress, ...(pause && { pause }) });
    } catch (error) {
      either.abort();
      throw error;
    }
  };
  const [a, b] = await Promise.all([open('a'), open('b')]);
  return { a, b, counter };
}

/** @param last the one that is told of last */
function together(sides: readonly InspectProgress[], last: InspectProgress): InspectProgress {
  const sum = (of: (one: InspectProgress) => number): number => sides.reduce((total, one) => total + of(one), 0);
  return {
    ...last,
    filesDone: sum(({ filesDone }) => filesDone),
    filesTotal: sum(({ filesTotal }) => filesTotal),
    bytesRead: sum(({ bytesRead }) => bytesRead),
  };
}

/**
 * @param held what was read of values before, which is not read again for the same sample
 * @throws InputError, FormatError `cancelled`
 */
export async function compareSides(
  platform: ComparedPlatform,
  { a, b, counter }: OpenedSides,
  input: ValuesInput,
  hooks: ComparisonHooks,
  held?: HeldValues,
): Promise<Compared> {
  const { signal } = hooks;
  const startMs = performance.now();
  const asked = valuesOf(input);
  const compared = await compareReports(a, b, counter, signal);
  const sides = { a, b, compared };
  const withValues = asked && (await compareValues(platform, sides, { ...asked, ...(held && { held }) }, hooks));
  const report = withValues?.report ?? compared.report;
  const changes = [...(await changesMeanwhile(platform, a, 'a', signal)), ...(await changesMeanwhile(platform, b, 'b', signal))];
  report.findings = [...changes, ...report.findings];
  report.io.elapsedMs = elapsedSince(startMs);
  const answer: Answer<ComparisonReport> = {
    report,
    json: () => jsonText(report),
    jsonPieces: () => jsonTextPieces(report),
    markdown: () => comparisonMarkdown(comparisonPage(report)),
    terminal: (options) => renderComparisonTerminal(comparisonPage(report, terminalRows), options),
  };
  return { answer, values: withValues?.read ?? null };
}

type ValuesInput = Pick<CompareInput, 'values' | 'sampleShare' | 'seed'>;

/** The sample of what is asked of values; null where nothing is. @throws InputError */
function valuesOf(input: ValuesInput): { sample: Sample | undefined } | null {
  const sample = sampleOf(input);
  if (input.values === true) return { sample };
  if (input.sampleShare !== undefined) throw InputError.ofInput('sample', 'goes with values');
  return null;
}

function elapsedSince(startMs: number): number {
  return Math.round((performance.now() - startMs) * 10) / 10;
}
