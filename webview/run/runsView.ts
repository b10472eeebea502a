import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ComparisonPage } from '../../src/core/pages/plan/planComparison.js';
import { runName } from '../../src/core/pages/runs/runWords.js';
import { runsPage } from '../../src/core/pages/runs/runsPage.js';
import type { ReportedRun, RunsReport } from '../../src/core/runs/runsReport.js';
import { shortRate, shortShare, shortTime } from '../../src/core/text/quantities.js';
import { formatBytes } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import '../panel/reportHeader.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import type { RowAt } from '../shared/rowSource.js';
import { reasonListStyles, renderReasons } from './reasonList.js';
import { emitRunEvent } from './runEvents.js';
import type { RunViewState } from './runViewState.js';

/** Several runs below a directory, or none. Each opens in a panel of its own, or in this one where both are in the directory itself. */
@customElement('stowage-runs-view')
export class RunsView extends LitElement {
  static override styles = [baseStyles, reasonListStyles];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) path = '';
  @property({ attribute: false }) report!: RunsReport;
  @property({ attribute: false }) view!: RunViewState;
  private page!: ComparisonPage;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.page = runsPage(this.report);
  }

  override render(): TemplateResult {
    const { decision, reasons } = this.page;
    const { runs } = this.report;
    const actions = [
      { label: 'Refresh', icon: 'refresh', choose: () => emitPanelEvent(this, 'panel-refresh', null) },
      { label: 'Copy as Markdown', icon: 'markdown', choose: () => emitPanelEvent(this, 'panel-export', 'markdown') },
    ];
    const severity = reasons.length === 0 ? 'fine' : 'warning';
    return html`<stowage-report-header
        .name=${this.name}
        .path=${this.path}
        .isPlanned=${false}
        .actions=${actions}
      ></stowage-report-header>
      <stowage-headline
        .verdict=${{ severity: runs.length === 0 ? 'note' : severity, text: decision, more: '' }}
      ></stowage-headline>
      ${renderReasons(reasons)}
      ${
        runs.length === 0
          ? nothing
          : html`<stowage-data-grid
              .name=${'runs'}
              .label=${'Runs'}
              .noun=${'run'}
              .columns=${this.columns}
              .rows=${runs}
              .state=${this.view.tables['runs'] ?? initialGridState}
              @grid-open=${({ detail: { row } }: CustomEvent<RowAt<ReportedRun>>) => row !== undefined && this.open(row)}
            ></stowage-data-grid>`
      }`;
  }

  private readonly columns: GridColumn<ReportedRun>[] = [
    {
      id: 'path',
      label: 'run',
      widthPx: 220,
      value: runName,
      cell: (run) =>
        html`<button class="link mono cell-link" tabindex="-1" title="Open this run" @click=${() => this.open(run)}>
          ${middleText(runName(run))}
        </button>`,
      title: ({ path }) => visibleText(path),
    },
    {
      id: 'checkpoints',
      label: 'checkpoints',
      widthPx: 100,
      isNumber: true,
      worth: 3,
      value: ({ checkpoints }) => checkpoints.length,
    },
    {
      id: 'bytes',
      label: 'size',
      widthPx: 88,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => formatBytes(bytes),
      title: ({ bytes }) => exactBytes(bytes),
    },
    numbers('interval', 'interval', 2, ({ intervals }) => intervals.medianSeconds, shortTime),
    numbers('seconds', 'a save takes', Infinity, ({ save }) => save.medianSeconds, shortTime),
    numbers('rate', 'rate', 1, ({ save }) => save.effectiveBytesPerSecond, shortRate),
    numbers('overlap', 'overlap', 1, ({ save }) => save.overlap, shortShare),
    numbers(
      'growth',
      'grows a day',
      0,
      ({ bytesPerDay }) => bytesPerDay,
      (bytes) => formatBytes(Math.round(bytes)),
    ),
  ];

  private open(run: ReportedRun): void {
    emitRunEvent(this, 'run-open', run);
  }
}

function numbers(
  id: string,
  label: string,
  worth: number,
  value: (run: ReportedRun) => number | null,
  words: (value: number) => string,
): GridColumn<ReportedRun> {
  const cell = (run: ReportedRun): unknown => {
    const number = value(run);
    return number === null ? nothing : words(number);
  };
  return { id, label, widthPx: 112, isNumber: true, worth, value, cell };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-runs-view': RunsView;
  }
}
