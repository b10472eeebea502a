/** The policy's metric at each checkpoint: of a table, of the Trainer's history, or in the names that Lightning and NeMo give. */
import { FormatError } from '../bytes/formatError.js';
import { metricsOfName } from './namedCheckpoint.js';
import type { BestRule } from './retentionPolicy.js';
import type { TrainerHistory } from './trainerStates.js';

export interface MetricSources {
  /** By step; null without a table. */
  table: ReadonlyMap<number, number> | null;
  history: TrainerHistory;
}

type Value = number | 'unmeasured' | null;

/**
 * Reads the metric of a checkpoint. A history that covers its step and has no value there says that it was not evaluated.
 * @param lastStep of the states that were read; null where none was
 */
export function metricReader(
  { metric }: BestRule,
  { table, history }: MetricSources,
  lastStep: number | null,
): (checkpoint: { path: string; step: number | null }) => Value {
  const logged = loggedValues(metric, history);
  const firstStep = [...history.values.keys()].reduce((first, step) => Math.min(first, step), Infinity);
  return ({ path, step }) => {
    if (table !== null) return step === null ? null : (table.get(step) ?? 'unmeasured');
    const named = metricsOfName(path).find(([name]) => name === metric)?.[1];
    if (named !== undefined) return named;
    // A metric that no entry has may be called otherwise: then nothing is known of it.
    if (step === null || lastStep === null || step > lastStep || step < firstStep || logged.size === 0) return null;
    return logged.get(step) ?? 'unmeasured';
  };
}

/** The Trainer takes `loss` for `eval_loss` (`metric_for_best_model`). */
function loggedValues(metric: string, { values }: TrainerHistory): ReadonlyMap<number, number> {
  return new Map(
    [...values].flatMap(([step, entry]) => {
      const value = entry.get(`eval_${metric}`) ?? entry.get(metric);
      return value === undefined ? [] : [[step, value] as const];
    }),
  );
}

/** Names of the columns are no numbers. */
function isHead(cell: string): boolean {
  return !/\d/.test(cell);
}

/**
 * A table with a step and a value in each line, with or without a line of names above.
 * @throws FormatError `corrupt` with the line and a sentence
 */
export function readMetricTable(text: string): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [step = '', value = '', ...more] = line.split(',').map((cell) => cell.trim());
    const isNumbers = /^\d{1,15}$/.test(step) && value !== '' && Number.isFinite(Number(value)) && more.length === 0;
    if (isNumbers && !table.has(Number(step))) table.set(Number(step), Number(value));
    else if (table.size > 0 || index > 0 || !isHead(step)) {
      const problem = isNumbers ? `step ${step} is there twice` : 'each line must have a step and a value';
      throw new FormatError('corrupt', `line ${index + 1}: ${problem}`);
    }
  }
  if (table.size === 0) throw new FormatError('corrupt', 'line 1: it has no step with a value');
  return table;
}
