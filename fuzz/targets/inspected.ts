import { inspect } from '../../src/core/inspection/inspect.js';
import { reportToJson } from '../../src/core/inspection/reportJson.js';
import { renderMarkdown } from '../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../src/core/pages/reportTerminal.js';
import { planOfReport } from '../../src/core/planning/sources/planOfReport.js';
import { memoryTree } from '../../test/builders/memoryTree.js';
import { inconsistenciesOf } from '../../test/hostile/accounts.js';
import { sizeOf, type Input } from '../target.js';

/** A report may be longer than its input by this much for each byte, and by a constant. */
const maxJsonPerByte = 200;
const maxJsonConstant = 2 * 1024 * 1024;

/** Inspects the files: there is a report, its sums are those of the files, and every face renders it within a bound. */
export async function inspectInput(input: Input): Promise<void> {
  const { report } = await inspect(memoryTree('fuzz', input), { path: 'fuzz' });
  const found = inconsistenciesOf(report);
  const bytes = sizeOf(input);
  if (report.totalBytes !== bytes) found.push(`the report has ${report.totalBytes} B, the files ${bytes} B`);
  if (found.length > 0) throw new Error(found.join('; '));
  const json = reportToJson(report);
  if (json.length > maxJsonConstant + maxJsonPerByte * bytes) throw new Error(`output: ${json.length} characters of JSON`);
  if (bytes % 4 !== 0) return;
  renderTerminal(report, { width: 80, color: false });
  renderMarkdown(report);
  planOfReport(report);
}
