// @vitest-environment happy-dom
import { render, html } from 'lit';
import { expect, it } from 'vitest';
import '../../webview/dataset/columnsView.js';
import { datasetTabs } from '../../webview/dataset/datasetTabs.js';
import { datasetReport } from '../builders/datasetReports.js';
import './standInPage.js';

it('shows a single fact below the columns, and gives several a tab', async () => {
  const report = datasetReport();
  const [fact] = report.facts;
  if (fact === undefined) expect.fail('the report has no facts');
  const labels = (facts: typeof report.facts): string[] => datasetTabs({ ...report, facts }).map(({ label }) => label);
  expect(labels(report.facts)).toContain('Facts');
  expect(labels([fact])).not.toContain('Facts');
  const isBelowColumns = async (facts: typeof report.facts): Promise<boolean> => {
    const place = document.createElement('div');
    document.body.append(place);
    render(html`<stowage-columns-view .report=${{ ...report, facts }}></stowage-columns-view>`, place);
    const view = place.querySelector('stowage-columns-view');
    await view?.updateComplete;
    return view?.shadowRoot?.querySelector('stowage-facts-view') != null;
  };
  expect(await isBelowColumns([fact])).toBe(true);
  expect(await isBelowColumns(report.facts)).toBe(false);
  expect(await isBelowColumns([])).toBe(false);
});
