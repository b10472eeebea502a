/** One run in words and pictures: what matters first, what is to be said besides, charts over its steps, and a row for each checkpoint. */
import type { ReportedRun } from '../../runs/runsReport.js';
import { layoutLabels } from '../../text/frameworkLabels.js';
import { counted } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { LineChart } from '../chart.js';
import type { ReportVerdict } from '../reportVerdict.js';
import { runCharts } from './runCharts.js';
import { headlineOf, reasonsOf, wrongOf } from './runWords.js';

/** What all of it rests on. */
const basis = 'By names, sizes and times of its files; none was opened.';

export interface RunPage {
  subtitle: string;
  verdict: ReportVerdict;
  reasons: string[];
  charts: LineChart[];
}

export function runPage(run: ReportedRun): RunPage {
  return {
    subtitle: `${layoutLabels[run.framework]}${run.names === null ? '' : ` · ${visibleText(run.names)}`} · ${counted(run.checkpoints.length, 'checkpoint')} · ${formatBytes(run.bytes)}`,
    verdict: { severity: wrongOf(run).length === 0 ? 'fine' : 'warning', text: headlineOf(run), more: basis },
    reasons: reasonsOf(run),
    charts: runCharts(run),
  };
}
