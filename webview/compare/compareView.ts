import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ComparisonReport } from '../../src/core/comparison/comparisonReport.js';
import { areWhole, comparisonPage } from '../../src/core/pages/comparison/comparisonPage.js';
import {
  componentRows,
  fileRows,
  notComparedWords,
  optimizerParameters,
  optimizerTable,
} from '../../src/core/pages/comparison/comparedRows.js';
import type { ReportVerdict } from '../../src/core/pages/reportVerdict.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ComparedValuesState, ComparePanelEvents } from '../../src/protocol/messages.js';
import { findingItem } from '../panel/findingItem.js';
import { findingsViewStyles } from '../panel/findingsViewStyles.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import '../panel/reportHeader.js';
import type { HeaderAction } from '../panel/reportHeader.js';
import { baseStyles } from '../shared/baseStyles.js';
import { keepUnits } from '../shared/byteText.js';
import '../shared/dataGrid.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState } from '../shared/gridState.js';
import { severityStyles } from '../shared/severityStyles.js';
import type { TabItem } from '../shared/tabStrip.js';
import '../shared/tabStrip.js';
import '../shared/tableView.js';
import { componentColumns, fileColumns, parameterColumns, settingColumns, stepColumns } from './compareColumns.js';
import './comparedSides.js';
import './comparedTensors.js';
import './comparedValuesView.js';
import { emitCompareEvent } from './compareEvents.js';
import type { CompareTabId, CompareViewState } from './compareViewState.js';

const exports = [
  { id: 'markdown', label: 'Copy as Markdown' },
  { id: 'json', label: 'Save as JSON…' },
];

/** A comparison: what differs in a sentence, what both are, what a resume changes, then a tab a subject. */
@customElement('stowage-compare-view')
export class CompareView extends LitElement {
  static override styles = [
    baseStyles,
    severityStyles,
    findingsViewStyles,
    css`
      stowage-headline {
        margin: 4px 0 8px;
      }
      .changes {
        margin: 0 0 14px;
      }
      .changes li,
      .changes p {
        max-width: 110ch;
        margin-top: 4px;
        overflow-wrap: anywhere;
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) sides!: ComparePanelEvents['sides'];
  @property({ attribute: false }) report!: ComparisonReport;
  @property({ attribute: false }) values!: ComparedValuesState;
  @property({ attribute: false }) view!: CompareViewState;

  override render(): TemplateResult {
    const { sides, report } = this;
    const tabs = tabsOf(report);
    const tab = shownTab(report, tabs, this.view.tab);
    return html`<stowage-report-header
        .name=${`${sides.a.name} ↔ ${sides.b.name}`}
        .isPlanned=${false}
        .actions=${this.actions}
        .exports=${exports}
      ></stowage-report-header>
      <stowage-headline .verdict=${verdictOf(report)}></stowage-headline>
      <stowage-compared-sides .sides=${sides} .report=${report}></stowage-compared-sides>
      ${renderResume(report)}
      <stowage-tab-strip
        label="Parts of the comparison"
        .tabs=${tabs}
        .selected=${tab}
        @tab-select=${({ detail }: CustomEvent<CompareTabId>) => emitCompareEvent(this, 'compare-state', { tab: detail })}
        >${this.renderTab(tab)}</stowage-tab-strip
      >`;
  }

  /** Puts the caret into the search of the table that is shown. Answers false where none is. */
  focusSearch(): boolean {
    const shown = this.renderRoot.querySelector<DataGrid>('stowage-tab-strip > *');
    return shown !== null && 'focusSearch' in shown && shown.focusSearch();
  }

  private readonly actions: HeaderAction[] = [
    { label: 'Swap sides', icon: 'arrow-swap', choose: () => emitCompareEvent(this, 'compare-swap', null) },
    { label: 'Refresh', icon: 'refresh', choose: () => emitPanelEvent(this, 'panel-refresh', null) },
  ];

  private renderTab(tab: CompareTabId): TemplateResult {
    const { report, values, view, sides } = this;
    switch (tab) {
      case 'tensors':
        return html`<stowage-compared-tensors
          .report=${report}
          .chosen=${view.tensorState}
          .tables=${view.tables}
        ></stowage-compared-tensors>`;
      case 'values':
        return html`<stowage-compared-values
          .report=${report}
          .state=${values}
          .canRead=${sides.readsValues}
          .tables=${view.tables}
        ></stowage-compared-values>`;
      case 'components':
        return this.renderGrid('components', 'component', componentColumns, componentRows(report), null);
      case 'settings':
        return this.renderGrid('settings', 'setting', settingColumns, report.settings, report.settingCount);
      case 'files': {
        const { rows, total } = fileRows(report);
        return this.renderGrid('files', 'file', fileColumns, rows, total);
      }
      case 'optimizer': {
        const { rows, total } = optimizerParameters(report);
        return html`<div>
          <stowage-table .table=${optimizerTable(report)}></stowage-table>
          ${total === 0 ? nothing : this.renderGrid('parameters', 'parameter', parameterColumns, rows, total)}
        </div>`;
      }
      case 'steps': {
        const { run } = report;
        if (run === undefined) return html``;
        const { both, onlyA, onlyB } = run.counts;
        return this.renderGrid('steps', 'step', stepColumns(run), run.steps, both + onlyA + onlyB);
      }
      case 'findings':
        return renderFindings(report);
    }
  }

  private renderGrid<Row>(
    name: CompareTabId | 'parameters',
    noun: string,
    columns: GridColumn<Row>[],
    rows: readonly Row[],
    total: number | null,
  ): TemplateResult {
    return html`<stowage-data-grid
      .name=${name}
      .label=${gridLabels[name]}
      .noun=${noun}
      .columns=${columns}
      .rows=${rows}
      .total=${total}
      .emptyText=${'No differences.'}
      .state=${this.view.tables[name] ?? initialGridState}
    ></stowage-data-grid>`;
  }
}

const gridLabels: Readonly<Record<CompareTabId | 'parameters', string>> = {
  tensors: 'Tensors',
  values: 'Values',
  components: 'Components',
  settings: 'Settings',
  files: 'Files',
  optimizer: 'Optimizer',
  parameters: 'Parameters with moments on one side',
  steps: 'Steps of both runs',
  findings: 'Findings',
};

function verdictOf(report: ComparisonReport): ReportVerdict {
  const { decision } = comparisonPage(report, 0);
  const severity = !areWhole(report) ? 'error' : report.isSame ? 'fine' : 'note';
  return { severity, text: visibleText(decision), more: '' };
}

function renderResume({ resume }: ComparisonReport): TemplateResult {
  return html`<section class="changes" aria-labelledby="resume">
    <h2 id="resume">Resuming from B instead of A</h2>
    ${
      resume.length === 0
        ? html`<p>Nothing that was compared changes a resume.</p>`
        : html`<ul>
            ${resume.map(({ sentence }) => html`<li><bdi>${keepUnits(visibleText(sentence))}</bdi></li>`)}
          </ul>`
    }
  </section>`;
}

function renderFindings({ findings, notCompared }: ComparisonReport): TemplateResult {
  return html`<div>
    ${
      findings.length === 0
        ? nothing
        : html`<ul aria-label="Findings">
            ${findings.map(({ side, path, ...finding }) =>
              findingItem(
                {
                  ...finding,
                  message: `${side === null ? '' : `${side.toUpperCase()}: `}${path === null ? '' : `${path}: `}${finding.message}`,
                },
                null,
              ),
            )}
          </ul>`
    }
    ${
      notCompared.length === 0
        ? nothing
        : html`<h2>Not compared</h2>
            <ul aria-label="Not compared">
              ${notCompared.map((one) => html`<li class="wrap"><bdi>${visibleText(notComparedWords(one))}</bdi></li>`)}
            </ul>`
    }
  </div>`;
}

/** Tabs of what there is to compare. */
function tabsOf(report: ComparisonReport): (TabItem & { id: CompareTabId })[] {
  const { tensors, valuesCompared, settingCount, optimizer, run, findings, notCompared } = report;
  const { added, removed, renamed, changed } = tensors.counts;
  const notes = findings.length + notCompared.length;
  return [
    { id: 'tensors', label: 'Tensors', count: added + removed + renamed + changed },
    {
      id: 'values',
      label: 'Values',
      ...(valuesCompared !== undefined && { count: valuesCompared.different + (optimizer.values?.different ?? 0) }),
    },
    { id: 'components', label: 'Components', count: componentRows(report).length },
    { id: 'settings', label: 'Settings', count: settingCount },
    { id: 'files', label: 'Files', count: fileRows(report).total },
    ...(optimizer.a === null && optimizer.b === null ? [] : [{ id: 'optimizer' as const, label: 'Optimizer' }]),
    ...(run === undefined
      ? []
      : [{ id: 'steps' as const, label: 'Steps', count: run.counts.both + run.counts.onlyA + run.counts.onlyB }]),
    ...(notes === 0 ? [] : [{ id: 'findings' as const, label: 'Findings', count: notes }]),
  ];
}

/** Until one is chosen, or where the chosen one is not there: the first with differences. */
function shownTab(
  { settingCount }: ComparisonReport,
  tabs: readonly (TabItem & { id: CompareTabId })[],
  chosen: CompareTabId | null,
): CompareTabId {
  const [first] = tabs;
  const usual = first?.count === 0 && settingCount > 0 ? 'settings' : 'tensors';
  return tabs.find(({ id }) => id === chosen)?.id ?? usual;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-compare-view': CompareView;
  }
}
