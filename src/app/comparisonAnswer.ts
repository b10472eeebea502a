import type { ComparisonPage } from '../core/pages/plan/planComparison.js';
import { renderComparisonTerminal } from '../core/pages/plan/planTerminal.js';
import { comparisonMarkdown } from '../core/pages/render/comparisonMarkdown.js';
import { jsonText, jsonTextPieces, type Answer } from './answer.js';

/** A report whose page is a decision, its reasons and a table. */
export function comparisonAnswer<Report extends object>(report: Report, page: ComparisonPage): Answer<Report> {
  return {
    report,
    json: () => jsonText(report),
    jsonPieces: () => jsonTextPieces(report),
    markdown: () => comparisonMarkdown(page),
    terminal: (options) => renderComparisonTerminal(page, options),
  };
}
