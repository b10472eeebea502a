import path from 'node:path';
import type { PlanAnswer } from '../app/plans/planFrom.js';
import { chartSvg } from '../core/pages/charts/chartSvg.js';
import { renderPlanMarkdown } from '../core/pages/plan/planMarkdown.js';
import { chartsOf } from '../core/pages/plan/planSection.js';
import { writeFiles } from './writeFiles.js';

/** Writes the plan as Markdown, and its charts in a folder beside it; answers the exit code. */
export function writePlanMarkdown(file: string, { plan, page, document }: PlanAnswer): Promise<number> {
  const folder = `${path.basename(file, path.extname(file))}-charts`;
  const beside = path.join(path.dirname(file), folder);
  return writeFiles(file, [
    { path: file, text: renderPlanMarkdown(plan, page, document, folder) },
    ...chartsOf(page).map((chart) => ({ path: path.join(beside, `${chart.id}.svg`), text: chartSvg(chart) })),
  ]);
}
