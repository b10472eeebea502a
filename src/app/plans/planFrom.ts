import { clusterFacts } from '../../core/planning/cluster/clusterFacts.js';
import type { PlanDocument } from '../../core/planning/inputs/planDocument.js';
import type { InputProblem } from '../../core/planning/inputs/planInputs.js';
import { makePlan, type StoragePlan } from '../../core/planning/storagePlan.js';
import { renderPlanMarkdown } from '../../core/pages/plan/planMarkdown.js';
import { planPage } from '../../core/pages/plan/planPage.js';
import type { PlanPage } from '../../core/pages/plan/planSection.js';
import { planReport, planToJson, type PlanReport } from '../../core/pages/plan/planReport.js';
import { renderPlanTerminal } from '../../core/pages/plan/planTerminal.js';
import type { Answer } from '../answer.js';
import type { Platform } from '../platform.js';
import type { PlanInput } from '../useCaseInputs.js';
import { openPlan } from './openPlan.js';
import { openSites } from './openSites.js';
import { withInputs } from './planInputs.js';

/** A plan with all that its page is made of. */
export interface PlanAnswer extends Answer<PlanReport> {
  /** Entries of a plan file that were ignored. */
  problems: readonly InputProblem[];
  document: PlanDocument;
  plan: StoragePlan;
  page: PlanPage;
}

/**
 * Plans the storage of checkpoints, from a file or a folder, a preset and single inputs.
 * @throws InputError, and PathError when there is nothing at the path to plan from
 */
export async function planFrom(
  platform: Platform,
  { path, sites: sitesPath, cluster, ...given }: PlanInput,
): Promise<PlanAnswer> {
  const opened = path === undefined ? { document: null, problems: [] } : await openPlan(platform, path);
  const own = sitesPath === undefined ? null : await openSites(platform, sitesPath);
  const facts = cluster === undefined ? null : clusterFacts(cluster.outputs, cluster.place, cluster.partition);
  const problems = [...opened.problems, ...(own?.problems ?? []), ...(facts?.problems ?? [])];
  const document = withInputs(opened.document, given, { sites: own?.sites ?? null, facts });
  const plan = makePlan(document);
  const page = planPage(plan, document, Date.now());
  const report = planReport(plan, page, document, problems);
  return {
    report,
    problems,
    document,
    plan,
    page,
    json: () => planToJson(report),
    markdown: () => renderPlanMarkdown(plan, page, document, null),
    terminal: (options) => renderPlanTerminal(page, options),
  };
}
