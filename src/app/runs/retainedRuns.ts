import { limits } from '../../core/bytes/limits.js';
import { runOrdered } from '../../core/files/orderedPool.js';
import { joinPath } from '../../core/files/paths.js';
import { refusedRetention, retentionInShort, type RunRetention } from '../../core/runs/runRetention.js';
import type { RunsReport } from '../../core/runs/runsReport.js';
import type { Hooks } from '../platform.js';
import { policyAt, retentionOf, type RetentionPlatform } from '../retention/retentionOf.js';
import { PathError } from '../useCaseError.js';

/**
 * The report with what a policy lets go of each run. The small files that decide are opened: pointers, states of trainers, holds.
 * @param policy file of the policy, which is that of all runs
 * @throws PathError where the policy has an error
 */
export async function withRetention(
  platform: RetentionPlatform,
  report: RunsReport,
  policy: string,
  { signal }: Hooks,
): Promise<RunsReport> {
  await policyAt(platform, policy);
  const judged: RunRetention[] = [];
  await runOrdered(report.runs, limits.concurrentFolders, async ({ path }, index) => {
    const place = path === '' ? report.path : platform.pathIn(report.path, path);
    judged[index] = await retentionOf(platform, { path: place, policy }, { ...(signal && { signal }) }).then(
      ({ report: own }) => retentionInShort(own, (inRun) => (inRun === '' ? path : joinPath(path, inRun))),
      (error: unknown) => {
        // The policy has none: what is wrong is the run's own, such as its holds.
        if (!(error instanceof PathError)) throw error;
        return refusedRetention(error.problem);
      },
    );
  });
  return { ...report, runs: report.runs.map((run, index) => ({ ...run, retention: judged[index] ?? null })) };
}
