import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { createConfigAccess } from '../core/configs/configAccess.js';
import { estimate, openConfig } from '../core/estimates/estimate.js';
import { inspect } from '../core/inspection/inspect.js';
import { planSuffix } from '../core/planning/inputs/planDocument.js';
import { readPlanFile, type PlanFailure, type ReadPlan } from '../core/planning/inputs/planFile.js';
import { buildEstimate } from '../core/estimates/buildEstimate.js';
import { parseBandwidthReport } from '../core/bandwidth/readBandwidthReport.js';
import { planOfBandwidth } from '../core/planning/sources/planOfBandwidth.js';
import { planOfEstimate } from '../core/planning/sources/planOfEstimate.js';
import { hasTensors, planOfReport } from '../core/planning/sources/planOfReport.js';
import { describeIoError } from '../platform/ioError.js';
import { nodeConfigSources } from '../platform/nodeConfigSources.js';
import { createNodeFileTree } from '../platform/nodeFileTree.js';

/** A plan from a plan file, a config or a checkpoint, or from the report of a bandwidth check, whichever lies there. */
export async function openPlan(place: string): Promise<ReadPlan | PlanFailure> {
  try {
    const stats = await stat(place);
    return (stats.isFile() ? await planOfText(place, stats.size) : null) ?? (await planOfCheckpoint(place));
  } catch (error) {
    return { failure: FormatError.is(error) ? error.detail : describeIoError(error) };
  }
}

/** Null for a file that is neither a plan nor a config nor a report. */
async function planOfText(place: string, sizeBytes: number): Promise<ReadPlan | PlanFailure | null> {
  if (sizeBytes > limits.planCharacters) return null;
  const text = await readFile(place, 'utf8');
  const plan = readPlanFile(text);
  if (!('failure' in plan) || place.endsWith(planSuffix) || isPlanKind(text)) return plan;
  const measured = parseBandwidthReport(text);
  if (measured !== null) return { document: planOfBandwidth(measured), problems: [] };
  const config = await openConfig(place, text);
  if (config === null) return null;
  const access = createConfigAccess(nodeConfigSources(path.dirname(path.resolve(place))));
  return { document: planOfEstimate(buildEstimate(await estimate(config, access), place)), problems: [] };
}

/** Of a folder that has a config and no checkpoint yet the config is taken. */
async function planOfCheckpoint(place: string): Promise<ReadPlan | PlanFailure> {
  const { report } = await inspect(await createNodeFileTree(place), { path: place });
  if (report.kind === 'checkpoint' && !hasTensors(report) && report.files.some((file) => file.path === 'config.json')) {
    const config = path.join(place, 'config.json');
    const plan = await planOfText(config, (await stat(config)).size);
    if (plan !== null) return plan;
  }
  const document = planOfReport(report);
  if (Object.keys(document.inputs).length === 0) return { failure: 'it is neither a plan, a config, a checkpoint nor a dataset' };
  return { document, problems: [] };
}

/** True for what says that it is a plan, even where it cannot be read: its own failure says more than that it is no checkpoint. */
function isPlanKind(text: string): boolean {
  return text.slice(0, 4096).includes('"stowage-plan"');
}
