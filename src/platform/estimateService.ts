import { changedEstimate, estimateConfig, type EstimatedText } from '../app/estimates/estimateConfig.js';
import type { ConfigSources } from '../core/configs/configAccess.js';
import { keyAt } from '../core/configs/document/keyAt.js';
import { keyOf } from '../core/configs/fields.js';
import { keyEffect } from '../core/estimates/keyEffect.js';
import { writePlanFile } from '../core/planning/inputs/writePlanFile.js';
import { estimateHover, estimateLens } from '../core/pages/estimate/estimateHover.js';
import { renderEstimateMarkdown } from '../core/pages/estimate/estimateMarkdown.js';
import { planOfEstimate } from '../core/planning/sources/planOfEstimate.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { ConfigPlace, EstimatorRequests } from './estimator.js';

/** What the machine below an estimator has. */
export interface EstimateSurroundings {
  /** Files that a config names. */
  sources: (key: string, place: ConfigPlace) => ConfigSources;
  /** Free where a config's checkpoints go; null where that is not known. */
  freeBytes: (place: ConfigPlace, outputFolder: string | undefined) => Promise<number | null>;
}

/** Answers an estimator's requests, and keeps what it has parsed until it is forgotten. */
export function createEstimateService(surroundings: EstimateSurroundings): RpcHandlers<EstimatorRequests> {
  const kept = new Map<string, EstimatedText>();
  return {
    async estimate({ key, path, place, text }) {
      kept.delete(key);
      const made = await estimateConfig(
        { path, text },
        {
          sources: surroundings.sources(key, place),
          freeBytes: (outputFolder) => surroundings.freeBytes(place, outputFolder),
        },
      );
      if (made === null) return null;
      kept.set(key, made);
      const { report, estimate } = made;
      const isSaved = report.checkpoint.terms.length > 0;
      return { lens: isSaved || report.trainsNothing ? estimateLens(report) : '', isSaved, facts: [...estimate.facts] };
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
    report({ key }) {
      const found = kept.get(key);
      if (found === undefined) return null;
      const { facts, problems } = found.estimate;
      const findings = facts.map(({ key: { node } }) => node.span.start);
      const unresolved = problems.map(({ span }) => span.start);
      return { report: found.report, offsets: { findings, unresolved } };
    },
    async changed({ key, changes }) {
      const found = kept.get(key);
      return found === undefined ? null : changedEstimate(found, changes);
    },
    async page({ key, changes = {} }) {
      const found = kept.get(key);
      if (found === undefined) return null;
      return renderEstimateMarkdown(await changedEstimate(found, changes));
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
