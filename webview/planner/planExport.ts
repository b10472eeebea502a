/** A plan as files: its Markdown, and a folder with its charts beside it. */
import { type PlanDocument, planSuffix } from '../../src/core/planning/inputs/planDocument.js';
import type { StoragePlan } from '../../src/core/planning/storagePlan.js';
import { chartSvg } from '../../src/core/pages/charts/chartSvg.js';
import { renderPlanMarkdown } from '../../src/core/pages/plan/planMarkdown.js';
import type { PlanPage } from '../../src/core/pages/plan/planSection.js';

export interface ShownPlan {
  document: PlanDocument;
  plan: StoragePlan;
  page: PlanPage;
}

export interface PlanExport {
  markdown: string;
  folder: string;
  charts: { name: string; svg: string }[];
}

/** @param fileName of the plan; the folder is named after it */
export function exportOf({ document, plan, page }: ShownPlan, fileName: string): PlanExport {
  const name = fileName.endsWith(planSuffix) ? fileName.slice(0, -planSuffix.length) : fileName;
  const folder = `${name === '' ? 'plan' : name}-charts`;
  const charts = page.sections.flatMap((section) => section.charts);
  return {
    markdown: renderPlanMarkdown(plan, page, document, folder),
    folder,
    charts: charts.map((chart) => ({ name: `${chart.id}.svg`, svg: chartSvg(chart) })),
  };
}

/** The whole plan as one text, charts as the tables behind them. */
export function copyOf({ document, plan, page }: ShownPlan): string {
  return renderPlanMarkdown(plan, page, document, null);
}
