/** What a plan can be exported as, for menus and the command line. */
import { dlioWorkload } from '../../planning/export/dlio.js';
import { mlperfStorageWorkload } from '../../planning/export/mlperfStorage.js';
import { volumeClaim } from '../../planning/export/volumeClaim.js';
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import type { InputProblem } from '../../planning/inputs/planInputs.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { renderPlanMarkdown } from './planMarkdown.js';
import { planReport, planToJson } from './planReport.js';
import type { PlanPage } from './planSection.js';

export interface ExportedPlan {
  document: PlanDocument;
  plan: StoragePlan;
  page: PlanPage;
  problems: InputProblem[];
}

interface PlanExport {
  /** In a menu. */
  label: string;
  /** Of a file, after the name of the plan. */
  ending: string;
  /** @param volume of Kubernetes: the storage class, or the volume, as claimNeeds has it */
  text(shown: ExportedPlan, volume: string): string;
}

export const planExports = {
  markdown: {
    label: 'Markdown with charts…',
    ending: 'md',
    text: ({ plan, page, document }) => renderPlanMarkdown(plan, page, document, null),
  },
  json: {
    label: 'JSON…',
    ending: 'json',
    text: ({ plan, page, document, problems }) => planToJson(planReport(plan, page, document, problems)),
  },
  'mlperf-storage': {
    label: 'MLPerf Storage workload…',
    ending: 'mlperf-storage.yaml',
    text: ({ plan, document }) => mlperfStorageWorkload(decided(plan), document),
  },
  dlio: {
    label: 'DLIO workload…',
    ending: 'dlio.yaml',
    text: ({ plan, document }) => dlioWorkload(decided(plan), document),
  },
  kubernetes: {
    label: 'Kubernetes volume claim…',
    ending: 'kubernetes.yaml',
    text: ({ plan, document }, volume) => volumeClaim(decided(plan), document, volume),
  },
} satisfies Record<string, PlanExport>;

/** What the first page says to do: other programs get that, and not the interval that it advises against. */
function decided(plan: StoragePlan): StoragePlan {
  return plan.advised ?? plan;
}

export type ExportId = keyof typeof planExports;
export const exportIds = Object.keys(planExports) as ExportId[];

/** YAML may be several documents in one stream. */
export function isYaml(id: ExportId): boolean {
  return planExports[id].ending.endsWith('.yaml');
}
