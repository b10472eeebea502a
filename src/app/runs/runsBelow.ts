import type { RunsReport } from '../../core/runs/runsReport.js';
import { runsPage } from '../../core/pages/runs/runsPage.js';
import { jobOfRun } from '../../core/runs/jobs/job.js';
import type { Hooks, Platform } from '../platform.js';
import { ofPath } from '../ofPath.js';
import type { RunsInput } from '../useCaseInputs.js';
import { jobsAnswer, type JobsAnswer } from './jobsAnswer.js';
import { withRetention } from './retainedRuns.js';
import { listRuns } from './listRuns.js';

/**
 * The runs below a directory of this machine.
 * @throws PathError where it cannot be listed
 */
export async function runsBelow(platform: Platform, input: RunsInput, hooks: Hooks = {}): Promise<JobsAnswer<RunsReport>> {
  const listed = await reportOf(platform, input, hooks);
  const report = input.policy === undefined ? listed : await withRetention(platform, listed, input.policy, hooks);
  return jobsAnswer(report, runsPage(report), report.runs.map(jobOfRun));
}

async function reportOf(platform: Platform, { path, cache }: RunsInput, { signal }: Hooks): Promise<RunsReport> {
  const place = {
    path,
    openFolders: () => platform.openFolders(path, cache ?? null),
    room: () => platform.room(path),
  };
  return ofPath(path, 'cannot be read', () => listRuns(place, signal));
}
