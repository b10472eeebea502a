import { type ConfigSources, createConfigAccess } from '../../core/configs/configAccess.js';
import type { ConfigAccess, ModelSource } from '../../core/configs/configKind.js';
import { buildEstimate } from '../../core/estimates/buildEstimate.js';
import { estimate, openConfig, type Estimate } from '../../core/estimates/estimate.js';
import type { EstimateReport } from '../../core/estimates/estimateReport.js';
import { planOfChanges, rankOf, type EstimateChanges } from './estimateChanges.js';

/** The text of a config, and what to call it in the report. */
export interface ConfigText {
  path: string;
  text: string;
}

/** What is around a config. */
export interface ConfigSurroundings {
  sources: ConfigSources;
  /** Bytes free where checkpoints go; null when unknown. */
  freeBytes: (outputFolder: string | undefined) => Promise<number | null>;
  /** In place of the model that the config names. */
  model?: ModelSource;
}

/** A config that was estimated, with all that it takes to estimate it again. */
export interface EstimatedText {
  estimate: Estimate;
  report: EstimateReport;
  access: ConfigAccess;
}

/**
 * Counts a model's parameters from its config or a training config, and sizes its checkpoints and its run.
 * @returns null for what is no config
 * @throws InputError for a change that cannot be made
 */
export async function estimateConfig(
  { path, text }: ConfigText,
  { sources, freeBytes, model }: ConfigSurroundings,
  changes: EstimateChanges = {},
): Promise<EstimatedText | null> {
  const plan = planOfChanges(changes);
  const access = createConfigAccess(sources);
  const config = await openConfig(path, text, access);
  if (config === null) return null;
  // Only a first estimate has the folder that checkpoints go to.
  const ofModel = model === undefined ? {} : { model };
  const asChanged = await estimate(config, access, { plan, ...ofModel });
  const given = { plan: { ...plan, ...rankOf(changes, asChanged) }, ...ofModel };
  const first = changes.rank === undefined ? asChanged : await estimate(config, access, given);
  const free = await freeBytes(first.plan.outputFolder);
  const whole = free === null ? first : await estimate(config, access, { ...given, freeBytes: free });
  return { estimate: whole, report: buildEstimate(whole, path), access };
}

/** The report of an estimated config with other changes. @throws InputError */
export async function changedEstimate(estimated: EstimatedText, changes: EstimateChanges): Promise<EstimateReport> {
  const plan = { ...planOfChanges(changes), ...rankOf(changes, estimated.estimate) };
  if (Object.keys(plan).length === 0) return estimated.report;
  const { estimate: base, access, report } = estimated;
  return buildEstimate(await estimate(base, access, { plan, freeBytes: base.freeBytes }), report.path);
}
