/** A plan in words: each section is the work of one file in sections/. */
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import type { PlanPage, PlanSection } from './planSection.js';
import { bandwidthSection } from './sections/bandwidthSection.js';
import { dataSection } from './sections/dataSection.js';
import { intervalSection } from './sections/intervalSection.js';
import { memorySection } from './sections/memorySection.js';
import { retentionSection } from './sections/retentionSection.js';
import { sizeSection } from './sections/sizeSection.js';
import { tiersSection } from './sections/tiersSection.js';

/** Sections in the order in which they are read. */
const sections: readonly ((plan: StoragePlan, document: PlanDocument) => PlanSection)[] = [
  sizeSection,
  intervalSection,
  bandwidthSection,
  retentionSection,
  tiersSection,
  dataSection,
  memorySection,
];

export function planPage(plan: StoragePlan, document: PlanDocument): PlanPage {
  return {
    title: document.name,
    recommendation: [],
    risks: [],
    impossible: [],
    sections: sections.map((section) => section(plan, document)),
  };
}
