/** A plan as files: one of its exports, and for Markdown a folder with its charts beside it. */
import { planSuffix } from '../../src/core/planning/inputs/planDocument.js';
import { chartSvg } from '../../src/core/pages/charts/chartSvg.js';
import { planExports, type ExportedPlan, type ExportId } from '../../src/core/pages/plan/planExports.js';
import { renderPlanMarkdown } from '../../src/core/pages/plan/planMarkdown.js';
import type { PlanPanelRequests } from '../../src/protocol/messages.js';

type Files = Parameters<PlanPanelRequests['exportPlan']>[0];

/**
 * @param fileName of the plan; the folder is named after it
 * @param volume of Kubernetes: the storage class or the volume
 */
export function exportOf(id: ExportId, shown: ExportedPlan, fileName: string, volume: string): Files {
  const { ending } = planExports[id];
  return id === 'markdown'
    ? markdownOf(shown, fileName)
    : { text: planExports[id].text(shown, volume), ending, folder: 'charts', charts: [] };
}

function markdownOf({ document, plan, page }: ExportedPlan, fileName: string): Files {
  const name = fileName.endsWith(planSuffix) ? fileName.slice(0, -planSuffix.length) : fileName;
  const folder = `${name === '' ? 'plan' : name}-charts`;
  const charts = page.sections.flatMap((section) => section.charts);
  return {
    text: renderPlanMarkdown(plan, page, document, folder),
    ending: planExports.markdown.ending,
    folder,
    charts: charts.map((chart) => ({ name: `${chart.id}.svg`, svg: chartSvg(chart) })),
  };
}

/** The whole plan as one text, charts as the tables behind them. */
export function copyOf({ document, plan, page }: ExportedPlan): string {
  return renderPlanMarkdown(plan, page, document, null);
}
