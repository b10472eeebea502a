/** Two inspected checkpoints side by side: all of a comparison but the values of tensors. */
import type { ReadCounter } from '../bytes/countingSource.js';
import { limits } from '../bytes/limits.js';
import { isOfMissingData } from '../values/missingData.js';
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { areOfOneKind, isFile, sideOf, type ComparedCheckpoint, type SideName } from './comparedCheckpoint.js';
import type {
  ComparisonFinding,
  ComparisonReport,
  NotCompared,
  OptimizerDifferences,
  SettingDifference,
  ValuesCompared,
} from './comparisonReport.js';
import { compareComponents } from './componentDifferences.js';
import { compareConfigs } from './configDifferences.js';
import { compareFiles, compareTokenizers } from './fileDifferences.js';
import type { TensorMatch } from './matchTensors.js';
import { compareOptimizers } from './optimizerDifferences.js';
import { resumeChanges } from './resumeChanges.js';
import { compareRuns } from './runDifferences.js';
import { compareFacts, compareTopology } from './settingDifferences.js';
import { compareTensors } from './tensorDifferences.js';

export interface ComparedReports {
  report: ComparisonReport;
  /** Pairs of rows of the model's tensors. */
  match: TensorMatch;
}

/**
 * Compares what both inspections found; reads configs and files of the tokenizers again, small ones from memory.
 * @param counter of both trees; the report has what it says at the end
 * @throws FormatError `cancelled`
 */
export async function compareReports(
  a: ComparedCheckpoint,
  b: ComparedCheckpoint,
  counter: ReadCounter,
  signal?: AbortSignal,
): Promise<ComparedReports> {
  const isOneKind = areOfOneKind(a.report, b.report);
  const configs = await compareConfigs(a, b, signal);
  const notCompared: NotCompared[] = [...configs.notCompared];
  const tokenizer = await compareTokenizers(a, b, notCompared, signal);
  const {
    differences: tensors,
    match,
    notCompared: ofTensors,
  } = compareTensors(
    { a: a.table, b: b.table },
    {
      isOneKind,
      tiesEmbeddings: configs.tiesEmbeddings,
      files: { a: a.report, b: b.report },
      ...(configs.modelType !== undefined && { modelType: configs.modelType }),
    },
  );
  const optimizer = compareOptimizers(a, b);
  const facts: SettingDifference[] = [...compareFacts(a.report, b.report, isOneKind), ...compareTopology(a.report, b.report)];
  const settings = [...facts, ...configs.settings].slice(0, limits.comparedDifferences);
  const files = compareFiles(
    a.report.files,
    b.report.files,
    a.report.layout === b.report.layout || isFileOfOther(a.report, b.report),
  );
  const run = await compareRuns(a.run, b.run, isOneKind, notCompared);
  const report: ComparisonReport = {
    kind: 'comparison',
    schemaVersion: 2,
    a: sideOf(a),
    b: sideOf(b),
    isSame: false,
    tensors,
    components: compareComponents(a.report, b.report),
    optimizer,
    settings,
    settingCount: facts.length + configs.count,
    tokenizer,
    files,
    resume: resumeChanges({ a: a.report, b: b.report, settings: [...facts, ...configs.settings], tensors, optimizer, tokenizer }),
    ...(run && { run }),
    findings: [...damageOf(a, 'a'), ...damageOf(b, 'b')],
    notCompared: [...ofTensors, ...notCompared],
    io: { bytesRead: counter.bytesRead, reads: counter.reads, elapsedMs: 0 },
  };
  report.isSame = isSame(report);
  return { report, match };
}

/** Whether one is a single file that the other, a directory, has as well. */
function isFileOfOther(a: CheckpointReport, b: CheckpointReport): boolean {
  if (isFile(a) === isFile(b)) return false;
  const [file, directory] = isFile(a) ? [a, b] : [b, a];
  return directory.files.some(({ path }) => path === file.files[0]?.path);
}

/** What is missing or damaged on a side: its differences may come from that. */
function damageOf({ report }: ComparedCheckpoint, side: SideName): ComparisonFinding[] {
  return report.findings.filter(isOfMissingData).map((finding) => ({ ...finding, side }));
}

/** Whether nothing that was compared differs. */
export function isSame({
  a,
  b,
  tensors,
  settingCount,
  tokenizer,
  files,
  optimizer,
  valuesCompared,
  run,
  notCompared,
}: ComparisonReport): boolean {
  const isZero = (counts: object): boolean => Object.values(counts).every((count) => count === 0);
  return (
    a.step === b.step &&
    isZero(tensors.counts) &&
    settingCount === 0 &&
    tokenizer.every(({ state }) => state === 'same') &&
    isZero(files.counts) &&
    isZero(optimizer.counts) &&
    (valuesCompared === undefined || areAllEqual(valuesCompared, optimizer, notCompared)) &&
    (run === undefined ||
      (run.counts.onlyA + run.counts.onlyB === 0 && run.firstOtherSize === null && run.firstOtherSettings === null))
  );
}

/** Also whether all that both have was read: what was not may differ. */
function areAllEqual(
  { different, notReadCount }: ValuesCompared,
  { values }: OptimizerDifferences,
  notCompared: readonly NotCompared[],
): boolean {
  const ofOptimizer = (values?.different ?? 0) + (values?.notReadCount ?? 0);
  return different + notReadCount + ofOptimizer === 0 && !notCompared.some(({ what }) => what === 'optimizer');
}
