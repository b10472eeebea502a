import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import type { ComparisonPage } from '../../core/pages/plan/planComparison.js';
import { jobCharts } from '../../core/pages/runs/jobCharts.js';
import type { DotChart } from '../../core/pages/chart.js';
import type { Job } from '../../core/runs/jobs/job.js';
import { jobsCsv } from '../../core/runs/jobs/jobsCsv.js';
import type { Answer } from '../answer.js';
import { comparisonAnswer } from '../comparisonAnswer.js';

/** A report of jobs, and a row for each job in the forms that other programs read. */
export interface JobsAnswer<Report> extends Answer<Report> {
  /** Of jobs by the size of their saves. */
  charts: readonly DotChart[];
  /** @param chartFolder where the charts lie as `ID.svg`, relative to the Markdown */
  markdownWithCharts(chartFolder: string): string;
  csv(): string;
  /** Arrow IPC stream. */
  arrow(): Promise<Uint8Array>;
}

export function jobsAnswer<Report extends object>(
  report: Report,
  page: ComparisonPage,
  jobs: readonly Job[],
): JobsAnswer<Report> {
  const charts = jobCharts(jobs);
  return {
    ...comparisonAnswer(report, page),
    charts,
    markdownWithCharts: (chartFolder) => comparisonMarkdown(page, { charts, chartFolder }),
    csv: () => jobsCsv(jobs),
    arrow: async () => (await import('../../core/runs/jobs/jobsArrow.js')).jobsArrow(jobs),
  };
}
