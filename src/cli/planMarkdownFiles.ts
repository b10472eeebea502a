import type { PlanAnswer } from '../app/plans/planFrom.js';
import { renderPlanMarkdown } from '../core/pages/plan/planMarkdown.js';
import { chartsOf } from '../core/pages/plan/planSection.js';
import { writeMarkdownWithCharts } from './markdownWithCharts.js';

/** Writes the plan as Markdown, and its charts in a folder beside it; answers the exit code. */
export function writePlanMarkdown(file: string, { plan, page, document }: PlanAnswer): Promise<number> {
  return writeMarkdownWithCharts(file, (folder) => renderPlanMarkdown(plan, page, document, folder), chartsOf(page));
}
