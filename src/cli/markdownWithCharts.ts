import path from 'node:path';
import type { PageChart } from '../core/pages/chart.js';
import { chartSvg } from '../core/pages/charts/chartSvg.js';
import { writeFiles } from './writeFiles.js';

/**
 * Writes Markdown, and its charts as SVG in a folder beside it; answers the exit code.
 * @param render with the name of that folder
 */
export function writeMarkdownWithCharts(
  file: string,
  render: (folder: string) => string,
  charts: readonly PageChart[],
): Promise<number> {
  const folder = `${path.basename(file, path.extname(file))}-charts`;
  const beside = path.join(path.dirname(file), folder);
  return writeFiles(file, [
    { path: file, content: render(folder) },
    ...charts.map((chart) => ({ path: path.join(beside, `${chart.id}.svg`), content: chartSvg(chart) })),
  ]);
}
