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

type SectionOf = (plan: StoragePlan, document: PlanDocument, nowMs: number | null) => PlanSection;

/** Sections in the order in which they are read, and which plan each is about: the one as given, or the one that is advised in its place. */
const sections: readonly (readonly [SectionOf, 'given' | 'advised'])[] = [
  [frontierSection, 'given'],
  [sizeSection, 'given'],
  [intervalSection, 'given'],
  [settingsSection, 'given'],
  [bandwidthSection, 'given'],
  [tiersSection, 'advised'],
  [levelsSection, 'advised'],
  [restoreSection, 'advised'],
  [emergencySection, 'advised'],
  [retentionSection, 'given'],
  [dataSection, 'given'],
  [memorySection, 'given'],
  [sensitivitySection, 'advised'],
];

const mostRisks = 3;

/** @param nowMs milliseconds since 1970, for the day on which storage is full; null tells times alone */
export function planPage(plan: StoragePlan, document: PlanDocument, nowMs: number | null = null): PlanPage {
  const advised = plan.advised ?? plan;
  const shown = sections.map(([section, of]) => section(of === 'given' ? plan : advised, document, nowMs));
  const headline = headlineWords(plan);
  return {
    title: document.name,
    madeAtMs: nowMs,
    headline,
    numbers: keyNumbers(plan, document, shown, nowMs),
    actions: advised.actions.map((action) => actionWords(action, advised, nowMs)),
    recommendation: [headline, ...reasonWords(plan)],
    risks: advised.risks.risks.slice(0, mostRisks).map((risk) => riskWords(risk, advised)),
    impossible: plan.blockers.map((blocker) => blockerWords(blocker, plan)),
    sections: shown,
  };
}
