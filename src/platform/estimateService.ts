import { FormatError } from '../core/bytes/formatError.js';
import { type ConfigSources, createConfigAccess } from '../core/configs/configAccess.js';
import type { ConfigAccess } from '../core/configs/configKind.js';
import { keyAt } from '../core/configs/document/keyAt.js';
import { keyOf } from '../core/configs/fields.js';
import { optimizerPlan } from '../core/configs/values/optimizerNames.js';
import { precisionOf } from '../core/configs/values/precisionNames.js';
import type { TrainingPlan } from '../core/configs/trainingPlan.js';
import { estimate, openConfig, type Estimate } from '../core/estimates/estimate.js';
import { keyEffect } from '../core/estimates/keyEffect.js';
import { writePlanFile } from '../core/planning/inputs/planFile.js';
import { buildEstimate } from '../core/estimates/buildEstimate.js';
import { estimateHover, estimateLens } from '../core/pages/estimate/estimateHover.js';
import { renderEstimateMarkdown } from '../core/pages/estimate/estimateMarkdown.js';
import { planOfEstimate } from '../core/planning/sources/planOfEstimate.js';
import type { EstimateReport } from '../core/estimates/estimateReport.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { ConfigPlace, EstimateChanges, EstimatorRequests } from './estimator.js';

/** What the machine below an estimator has. */
export interface EstimateSurroundings {
  /** Files that a config names. */
  sources: (key: string, place: ConfigPlace) => ConfigSources;
  /** Free where a config's checkpoints go; null where that is not known. */
  freeBytes: (place: ConfigPlace, outputFolder: string | undefined) => Promise<number | null>;
}

interface Kept {
  estimate: Estimate;
  report: EstimateReport;
  access: ConfigAccess;
}

/** Answers an estimator's requests, and keeps what it has parsed until it is forgotten. */
export function createEstimateService(surroundings: EstimateSurroundings): RpcHandlers<EstimatorRequests> {
  const kept = new Map<string, Kept>();
  return {
    async estimate({ key, path, place, text }) {
      kept.delete(key);
      const made = await makeEstimate({ key, path, place, text }, surroundings);
      if (made === null) return null;
      kept.set(key, made);
      const hasTerms = made.report.checkpoint.terms.length > 0;
      return { lens: hasTerms ? estimateLens(made.report) : '', facts: [...made.estimate.facts] };
    },
    async card({ key, offset, links }) {
      const found = kept.get(key);
      const place = found === undefined ? null : keyAt(found.estimate.file.document.root, offset);
      // Keys that the estimate does not rest on have other tools to explain them.
      if (found === undefined || place === null || !found.estimate.used.has(keyOf(place.path))) return null;
      const effect = await keyEffect(found.estimate, found.access, place.path);
      const hovered = { key: place.path[place.path.length - 1] ?? '', effect };
      return { text: estimateHover(found.report, hovered, links), span: place.keySpan };
    },
    async page({ key, changes = {} }) {
      const found = kept.get(key);
      if (found === undefined) return null;
      const plan = planOf(changes);
      if (Object.keys(plan).length === 0) return renderEstimateMarkdown(found.report);
      const { estimate: base, access, report } = found;
      const changed = await estimate(base, access, { plan, freeBytes: base.freeBytes });
      return renderEstimateMarkdown(buildEstimate(changed, report.path));
    },
    plan({ key }) {
      const found = kept.get(key);
      return found === undefined ? null : writePlanFile(planOfEstimate(found.report));
    },
    forget({ key }) {
      kept.delete(key);
    },
  };
}

async function makeEstimate(
  { key, path, place, text }: { key: string; path: string; place: ConfigPlace; text: string },
  { sources, freeBytes }: EstimateSurroundings,
): Promise<Kept | null> {
  const config = await openConfig(path, text);
  if (config === null) return null;
  const access = createConfigAccess(sources(key, place));
  const first = await estimate(config, access);
  const free = await freeBytes(place, first.plan.outputFolder);
  const whole = free === null ? first : await estimate(config, access, { freeBytes: free });
  return { estimate: whole, report: buildEstimate(whole, path), access };
}

/** @throws FormatError `unsupported` for an optimizer or a precision that is not known */
function planOf({ optimizer, precision }: EstimateChanges): Partial<TrainingPlan> {
  const known = precisionOf(precision);
  if (precision !== undefined && known === undefined)
    throw new FormatError('unsupported', `the precision ${precision} is not known`);
  const told = optimizerPlan(optimizer);
  if (optimizer !== undefined && (told.optimizer === undefined || told.optimizer === 'unknown'))
    throw new FormatError('unsupported', `the optimizer ${optimizer} is not known`);
  // What the config says of its own optimizer's momentum is not this one's.
  const changed = optimizer === undefined ? {} : { hasMomentum: false, ...told };
  return { ...changed, ...(known === undefined ? {} : { precision: known }) };
}
