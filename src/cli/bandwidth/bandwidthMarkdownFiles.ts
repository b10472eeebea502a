import type { BandwidthReport } from '../../core/bandwidth/bandwidthReport.js';
import { bandwidthCharts } from '../../core/pages/bandwidth/bandwidthCharts.js';
import { renderBandwidthMarkdown } from '../../core/pages/bandwidth/bandwidthMarkdown.js';
import { writeMarkdownWithCharts } from '../markdownWithCharts.js';

/** Writes a check as Markdown, and its charts in a folder beside it; answers the exit code. */
export function writeBandwidthMarkdown(file: string, report: BandwidthReport): Promise<number> {
  return writeMarkdownWithCharts(file, (folder) => renderBandwidthMarkdown(report, folder), bandwidthCharts(report));
}
