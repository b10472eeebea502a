import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { createConfigAccess } from '../core/configs/configAccess.js';
import { estimate, openConfig } from '../core/estimate.js';
import { inspect } from '../core/inspect.js';
import { planSuffix } from '../core/planning/inputs/planDocument.js';
import { readPlanFile, type PlanFailure, type ReadPlan } from '../core/planning/inputs/planFile.js';
import { buildEstimate } from '../core/report/buildEstimate.js';
import { planOfEstimate } from '../core/report/plan/planOfEstimate.js';
import { planOfReport } from '../core/report/plan/planOfReport.js';
import { describeIoError } from '../platform/ioError.js';
import { nodeConfigSources } from '../platform/nodeConfigSources.js';
import { createNodeFileTree } from '../platform/nodeFileTree.js';

/** A plan from a plan file, a config or a checkpoint, whichever lies there. */
export async function openPlan(place: string): Promise<ReadPlan | PlanFailure> {
  try {
    const stats = await stat(place);
    if (stats.isFile() && stats.size <= limits.planCharacters) {
      const text = await readFile(place, 'utf8');
      const plan = readPlanFile(text);
      if (!('failure' in plan) || place.endsWith(planSuffix) || isPlanKind(text)) return plan;
      const config = await openConfig(place, text);
      if (config !== null) {
        const access = createConfigAccess(nodeConfigSources(path.dirname(path.resolve(place))));
        return { document: planOfEstimate(buildEstimate(await estimate(config, access), place)), problems: [] };
      }
    }
    const { report } = await inspect(await createNodeFileTree(place), { path: place });
    if (report.totalBytes === 0) return { failure: 'there is nothing in it' };
    return { document: planOfReport(report), problems: [] };
  } catch (error) {
    return { failure: FormatError.is(error) ? error.detail : describeIoError(error) };
  }
}

/** True for what says that it is a plan, even where it cannot be read: its own failure says more than that it is no checkpoint. */
function isPlanKind(text: string): boolean {
  return text.slice(0, 4096).includes('"stowage-plan"');
}
