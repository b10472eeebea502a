import type { ComparedCheckpoint } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparedReports } from '../../core/comparison/compareReports.js';
import { isSame } from '../../core/comparison/compareReports.js';
import { matchOptimizers } from '../../core/comparison/matchOptimizers.js';
import type { TensorMatch } from '../../core/comparison/matchTensors.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import { heldResults, type HeldValues } from '../../core/comparison/values/heldValues.js';
import { pairFindings } from '../../core/comparison/values/pairFindings.js';
import type { PairResult, PairTask } from '../../core/comparison/values/pairTask.js';
import { planPairs, type PlannedSide } from '../../core/comparison/values/planPairs.js';
import { optimizerValues, valueDifferences } from '../../core/comparison/values/valueDifferences.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { Sample } from '../../core/values/valueTask.js';
import type { Hooks, Platform } from '../platform.js';

/** The report with values, and what was read for them. */
export interface ComparedValues {
  report: ComparisonReport;
  read: HeldValues;
}

/**
 * The report with the values of the tensors that both have, of the model and of the optimizer.
 * @param held what was read of them before, in the same sample
 * @throws FormatError `cancelled`, `io`
 */
export async function compareValues(
  platform: Pick<Platform, 'readPairs'>,
  { a, b, compared }: { a: ComparedCheckpoint; b: ComparedCheckpoint; compared: ComparedReports },
  { sample, held }: { sample: Sample | undefined; held?: HeldValues },
  { signal, onProgress }: Hooks<ValuesProgress>,
): Promise<ComparedValues> {
  const { report } = compared;
  const state = matchOptimizers(a, b, report.tensors);
  const ofModelAlone = withPairs(compared.match, compared.match.tied);
  const ofState = Array.from(state.pairs.a, (row, at) => ({ a: row, b: state.pairs.b[at] as number, order: 0 }));
  const [modelPairs, match] = [ofModelAlone.pairs.a.length, withPairs(ofModelAlone, ofState)];
  const [own, other] = [plannedSide(a), plannedSide(b)];
  const plan = planPairs(match, own, other, sample);
  let bytesRead = 0;
  const onBytes = (bytes: number): void => {
    bytesRead += bytes;
    onProgress?.({ bytesRead, totalBytes: plan.totalBytes });
  };
  const known = held === undefined ? new Map<number, PairResult>() : heldResults(held, match);
  const tasks = withoutKnown(plan.tasks, known);
  const reading = { a: a.opened, b: b.opened, tasks };
  const read = tasks.length === 0 ? [] : await platform.readPairs(reading, { signal, onBytes });
  const results = [...known.values(), ...read];
  const sources = { match, modelPairs, a: own, b: other, plan, results, sample };
  const [differences, ofOptimizer] = [valueDifferences(sources), optimizerValues(sources)];
  const ofModel = results.filter(({ pair }) => pair < modelPairs);
  const findings = [...report.findings, ...pairFindings(ofModel, match, own, other, sample !== undefined)];
  const optimizer = { ...report.optimizer, ...(ofOptimizer && { values: ofOptimizer }) };
  const notCompared = [...report.notCompared, ...state.notCompared];
  const io = { ...report.io, bytesRead: report.io.bytesRead + differences.valuesCompared.bytesRead };
  const whole = { ...report, ...differences, optimizer, findings, notCompared, io };
  return { report: { ...whole, isSame: isSame(whole) }, read: { rows: match.pairs, results, sample } };
}

/** The pairs of a match with others behind them. */
function withPairs(match: TensorMatch, more: TensorMatch['tied']): TensorMatch {
  if (more.length === 0) return match;
  const { pairs, orders } = match;
  return {
    ...match,
    pairs: {
      a: Uint32Array.from([...pairs.a, ...more.map(({ a }) => a)]),
      b: Uint32Array.from([...pairs.b, ...more.map(({ b }) => b)]),
    },
    orders: Uint8Array.from([...orders, ...more.map(({ order }) => order)]),
  };
}

function withoutKnown(tasks: readonly PairTask[], known: ReadonlyMap<number, PairResult>): PairTask[] {
  if (known.size === 0) return [...tasks];
  return tasks
    .map((task) => ({ ...task, pairs: task.pairs.filter(({ pair }) => !known.has(pair)) }))
    .filter(({ pairs }) => pairs.length > 0);
}

function plannedSide({ report, table, opened }: ComparedCheckpoint): PlannedSide {
  return { table, files: report.files.map(({ path }) => ({ path: opened.place(path) })), layout: report.layout };
}
