/** A plan in words: each section is the work of one file in sections/. */
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { blockerWords } from './blockerWords.js';
import type { PlanPage, PlanSection } from './planSection.js';
import { recommendationWords } from './recommendationWords.js';
import { riskWords } from './riskWords.js';
import { bandwidthSection } from './sections/bandwidthSection.js';
import { dataSection } from './sections/dataSection.js';
import { emergencySection } from './sections/emergencySection.js';
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
  const impossible = plan.blockers.map((blocker) => blockerWords(blocker, plan));
  return {
    title: document.name,
    madeAtMs: nowMs,
    recommendation: recommendationWords(plan, impossible),
    risks: plan.risks.risks.slice(0, mostRisks).map((risk) => riskWords(risk, plan)),
    impossible,
    sections: sections.map((section) => section(plan, document, nowMs)),
  };
}
