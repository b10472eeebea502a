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
const sections: readonly ((plan: StoragePlan, document: PlanDocument) => PlanSection)[] = [
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

export function planPage(plan: StoragePlan, document: PlanDocument): PlanPage {
  const impossible = plan.blockers.map((blocker) => blockerWords(blocker, plan));
  return {
    title: document.name,
    recommendation: recommendationWords(plan, impossible),
    risks: plan.risks.risks.slice(0, mostRisks).map((risk) => riskWords(risk, plan)),
    impossible,
    sections: sections.map((section) => section(plan, document)),
  };
}
