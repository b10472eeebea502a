/** A plan in words: each section is the work of one file in sections/. */
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { actionWords } from './actionWords.js';
import { blockerWords } from './blockerWords.js';
import type { PlanPage, PlanSection } from './planSection.js';
import { headlineWords } from './headlineWords.js';
import { keyNumbers } from './keyNumbers.js';
import { reasonWords } from './reasonWords.js';
import { riskWords } from './riskWords.js';
import { bandwidthSection } from './sections/bandwidthSection.js';
import { dataSection } from './sections/dataSection.js';
import { emergencySection } from './sections/emergencySection.js';
import { frontierSection } from './sections/frontierSection.js';
import { intervalSection } from './sections/intervalSection.js';
import { levelsSection } from './sections/levelsSection.js';
import { memorySection } from './sections/memorySection.js';
import { restoreSection } from './sections/restoreSection.js';
import { retentionSection } from './sections/retentionSection.js';
import { sensitivitySection } from './sections/sensitivitySection.js';
import { settingsSection } from './sections/settingsSection.js';
import { sizeSection } from './sections/sizeSection.js';
import { tiersSection } from './sections/tiersSection.js';

/** Sections in the order in which they are read. */
const sections: readonly ((plan: StoragePlan, document: PlanDocument, nowMs: number | null) => PlanSection)[] = [
  frontierSection,
  sizeSection,
  intervalSection,
  settingsSection,
  bandwidthSection,
  tiersSection,
  levelsSection,
  restoreSection,
  emergencySection,
  retentionSection,
  dataSection,
  memorySection,
  sensitivitySection,
];

const mostRisks = 3;

/** @param nowMs milliseconds since 1970, for the day on which storage is full; null tells times alone */
export function planPage(plan: StoragePlan, document: PlanDocument, nowMs: number | null = null): PlanPage {
  const shown = sections.map((section) => section(plan, document, nowMs));
  const headline = headlineWords(plan);
  return {
    title: document.name,
    madeAtMs: nowMs,
    headline,
    numbers: keyNumbers(plan, document, shown),
    actions: plan.actions.map((action) => actionWords(action, plan, nowMs)),
    recommendation: [headline, ...reasonWords(plan)],
    risks: plan.risks.risks.slice(0, mostRisks).map((risk) => riskWords(risk, plan)),
    impossible: plan.blockers.map((blocker) => blockerWords(blocker, plan)),
    sections: shown,
  };
}
