/** A pointer to the latest checkpoint that does not lead to one: then a checkpoint loads by an explicit path alone. */
import type { Finding } from '../findings/finding.js';
import type { BrokenPointer, ResumeVerdict } from './checkpointReport.js';
import { isForResume } from './runs/pointerUse.js';

/** Verdicts of what can be loaded at all. */
const loadable: ReadonlySet<ResumeVerdict> = new Set<ResumeVerdict>(['complete', 'partial', 'weights-only', 'state-only']);

/** The first pointer to the latest checkpoint that leads to none, as the findings have it; undefined where nothing can be loaded. */
export function brokenPointerOf(findings: readonly Finding[], verdict: ResumeVerdict): BrokenPointer | undefined {
  if (!loadable.has(verdict)) return undefined;
  for (const finding of findings) {
    const { code, path = '' } = finding;
    if (code === 'tag-pointer-missing') return { path: finding.facts.file, target: finding.facts.tag, fault: 'pointer-missing' };
    if ((code !== 'pointer-target-missing' && code !== 'pointer-target-unfinished') || !isForResume(path)) continue;
    if (finding.facts.isIgnored === true) continue;
    const fault = code === 'pointer-target-missing' ? 'target-missing' : 'target-unfinished';
    return { path, target: finding.facts.target, fault };
  }
  return undefined;
}
