import type { EstimateReport } from '../../core/estimates/estimateReport.js';
import { runsTogether, type RunsTogether, type TimedEstimate } from '../../core/estimates/runsTogether.js';
import { runsPage } from '../../core/pages/estimate/runsPage.js';
import type { Answer } from '../answer.js';
import { comparisonAnswer } from '../comparisonAnswer.js';
import type { Platform } from '../platform.js';
import { InputError, PathError } from '../useCaseError.js';
import type { EstimateRunsInput } from '../useCaseInputs.js';
import { estimatePath } from './estimatePath.js';

/** What `stowage estimate A B --json` prints. */
export interface EstimatedRuns {
  schemaVersion: 2;
  kind: 'estimates';
  estimates: EstimateReport[];
  together: RunsTogether;
}

export interface EstimatedRunsAnswer extends Answer<EstimatedRuns> {
  /** Paths that could not be read or are no configs; the others are estimated all the same. */
  unreadable: PathError[];
}

/**
 * Estimates the configs of several runs that save to one storage.
 * @throws InputError, and PathError where no path can be estimated
 */
export async function estimateRuns(
  platform: Platform,
  { paths, quotaBytes, stepSeconds, ...changes }: EstimateRunsInput,
): Promise<EstimatedRunsAnswer> {
  checkPositive('quotaBytes', quotaBytes);
  checkPositive('stepSeconds', stepSeconds);
  const runs: TimedEstimate[] = [];
  const unreadable: PathError[] = [];
  for (const path of paths) {
    try {
      runs.push(await estimatePath(platform, { path, ...changes }));
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      unreadable.push(error);
    }
  }
  const [failed] = unreadable;
  if (runs.length === 0 && failed !== undefined) throw failed;
  const together = runsTogether(runs, {
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    ...(stepSeconds === undefined ? {} : { stepSeconds }),
  });
  const estimates = runs.map(({ report }) => report);
  const report: EstimatedRuns = { schemaVersion: 2, kind: 'estimates', estimates, together };
  return { ...comparisonAnswer(report, runsPage(estimates, together)), unreadable };
}

function checkPositive(name: string, value: number | undefined): void {
  if (value !== undefined && !(value > 0 && Number.isFinite(value))) throw InputError.ofInput(name, 'takes an amount above 0');
}
