import type { Report } from '../../src/core/inspection/report.js';
import type { TensorQuery } from '../../src/core/tensors/tensorQuery.js';
import type { MenuItem } from '../shared/menuButton.js';
import { isFiltered } from '../../src/core/tensors/tensorQuery.js';

/** What a report can be exported as; only checkpoints have tensors. */
export function exportMenu(report: Report, query: TensorQuery): MenuItem[] {
  const whole: MenuItem[] = [
    { id: 'markdown', label: 'Copy as Markdown' },
    { id: 'json', label: 'Save as JSON…' },
  ];
  if (report.kind !== 'checkpoint') return whole;
  const none = report.tensorCount === 0;
  const which = none ? 'none' : isFiltered(query) ? 'filtered' : 'all';
  return [
    ...whole,
    { id: 'csv', label: 'Save tensors as CSV…', detail: which, disabled: none },
    { id: 'arrow', label: 'Save tensors as Arrow…', detail: which, disabled: none },
  ];
}
