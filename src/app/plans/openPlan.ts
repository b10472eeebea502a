import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { parseBandwidthReport } from '../../core/bandwidth/readBandwidthReport.js';
import { partPathsInWords } from '../../core/inspection/collection/missingPart.js';
import { inspect } from '../../core/inspection/inspect.js';
import { standardInputs, type InputProblem } from '../../core/planning/inputs/planInputs.js';
import type { Report } from '../../core/inspection/report.js';
import { counted, shortParameters } from '../../core/text/quantities.js';
import { planKind, planSuffix } from '../../core/planning/inputs/planDocument.js';
import { readPlanFile, type PlanFailure, type ReadPlan } from '../../core/planning/inputs/planFile.js';
import { planOfBandwidth } from '../../core/planning/sources/planOfBandwidth.js';
import { planOfEstimate } from '../../core/planning/sources/planOfEstimate.js';
import { hasTensors, planOfReport } from '../../core/planning/sources/planOfReport.js';
import { estimateConfig } from '../estimates/estimateConfig.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';

/**
 * A plan from what is at a path: a plan file, the report of a plan or of a bandwidth check, a config, a checkpoint or a dataset.
 * @throws PathError when it is none of these or cannot be read
 */
export async function openPlan(platform: Platform, path: string): Promise<ReadPlan> {
  const opened = await planAt(platform, path);
  if ('failure' in opened) throw new PathError(path, `cannot be planned from: ${opened.failure}`);
  return opened;
}

async function planAt(platform: Platform, path: string): Promise<ReadPlan | PlanFailure> {
  try {
    const { kind, sizeBytes } = await platform.stat(path);
    const isShort = kind === 'file' && sizeBytes <= limits.planCharacters;
    return (isShort ? await planOfText(platform, path) : null) ?? (await planOfTree(platform, path));
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return { failure: error.detail };
  }
}

/** Null for a file that is neither a plan nor a config nor a report. */
async function planOfText(platform: Platform, path: string): Promise<ReadPlan | PlanFailure | null> {
  const text = await platform.readText(path, limits.planCharacters);
  const plan = readPlanFile(text);
  if (!('failure' in plan) || path.endsWith(planSuffix) || declaresPlan(text)) return plan;
  const measured = parseBandwidthReport(text);
  if (measured !== null) return { document: planOfBandwidth(measured), problems: [] };
  // A plan does not use the free bytes.
  const sources = await platform.configSources(platform.folderOf(path));
  const estimated = await estimateConfig({ path, text }, { sources, freeBytes: () => Promise.resolve(null) });
  return estimated === null ? null : { document: planOfEstimate(estimated.report), problems: [] };
}

/** Of a folder that has a config and no checkpoint yet the config is taken. */
async function planOfTree(platform: Platform, path: string): Promise<ReadPlan | PlanFailure> {
  const { report } = await inspect(await platform.openTree(path), { path });
  if (report.kind === 'checkpoint' && !hasTensors(report) && report.files.some((file) => file.path === 'config.json')) {
    const config = platform.pathIn(path, 'config.json');
    const plan = await planOfText(platform, config);
    if (plan !== null) return plan;
  }
  if (report.kind === 'collection') return { failure: `it holds several things. Name one: ${partPathsInWords(report.parts)}` };
  const document = planOfReport(report);
  if (Object.keys(document.inputs).length === 0) return { failure: 'it is neither a plan, a config, a checkpoint nor a dataset' };
  return { document, problems: problemsOf(report) };
}

/** What is measured of a damaged checkpoint is not what a whole one has; a dataset has no model. */
function problemsOf(report: Report): InputProblem[] {
  if (report.kind === 'dataset')
    return [
      { key: 'parameters', text: `are of no dataset: a model of ${shortParameters(standardInputs.parameters)} is assumed` },
    ];
  const errors = report.kind === 'checkpoint' ? report.findings.filter(({ severity }) => severity === 'error').length : 0;
  if (errors === 0) return [];
  return [{ key: 'checkpointBytes', text: `is measured of a checkpoint with ${counted(errors, 'error')}: inspect it first` }];
}

/** True for a text that declares itself a plan, even where it cannot be read: its own failure is the more useful one. */
function declaresPlan(text: string): boolean {
  return text.slice(0, 4096).includes(JSON.stringify(planKind));
}
