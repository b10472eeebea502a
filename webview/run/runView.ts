import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { LineChart } from '../../src/core/pages/chart.js';
import { runPage, type RunPage } from '../../src/core/pages/runs/runPage.js';
import type { SavedCheckpoint } from '../../src/core/runs/savedCheckpoint.js';
import type { ReportedRun } from '../../src/core/runs/runsReport.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import '../panel/reportHeader.js';
import type { HeaderAction } from '../panel/reportHeader.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/chartView.js';
import { reasonListStyles, renderReasons } from './reasonList.js';
import { emitRunEvent } from './runEvents.js';
import type { RunViewState } from './runViewState.js';
import './savesTable.js';

/** Of the menu. */
const exports = [{ id: 'markdown', label: 'Copy as Markdown' }];

/** One run: what matters first, then its saves over the steps, as pictures and as a table. */
@customElement('stowage-run-view')
export class RunView extends LitElement {
  static override styles = [
    baseStyles,
    reasonListStyles,
    css`
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr));
        gap: 16px 32px;
        margin: 18px 0;
      }
    `,
  ];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) path = '';
  @property({ attribute: false }) run!: ReportedRun;
  @property({ attribute: false }) isFollowed = false;
  /** The save that is under way; empty where none is. */
  @property({ attribute: false }) underWay = '';
  @property({ attribute: false }) view!: RunViewState;
  private page!: RunPage;
  private saves: readonly SavedCheckpoint[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('run')) return;
    this.page = runPage(this.run);
    this.saves = [...this.run.checkpoints].reverse();
  }

  override render(): TemplateResult {
    const { subtitle, verdict, reasons, charts } = this.page;
    const said = this.underWay === '' ? reasons : [`${this.underWay}.`, ...reasons];
    return html`<stowage-report-header
        .name=${this.name}
        .path=${this.path}
        .subtitle=${subtitle}
        .isSaved=${true}
        .actions=${this.actions()}
        .exports=${exports}
      ></stowage-report-header>
      <stowage-headline .verdict=${verdict}></stowage-headline>
      ${renderReasons(said)}
      ${charts.length === 0 ? nothing : html`<div class="charts">${charts.map((chart) => this.renderChart(chart))}</div>`}
      <stowage-saves-table .run=${this.run.path} .saves=${this.saves} .tables=${this.view.tables}></stowage-saves-table>`;
  }

  private renderChart(chart: LineChart): TemplateResult {
    const { opened } = this.view;
    return html`<stowage-chart .chart=${chart} .disclosure=${chart.id} .isOpen=${opened[chart.id] === true}></stowage-chart>`;
  }

  private actions(): HeaderAction[] {
    const { isFollowed } = this;
    return [
      {
        label: isFollowed ? 'Stop following' : 'Follow',
        icon: isFollowed ? 'debug-stop' : 'eye',
        choose: () => emitRunEvent(this, 'run-follow', !isFollowed),
      },
      ...(this.run.names === null
        ? []
        : [{ label: 'All runs here', icon: 'list-unordered', choose: () => emitRunEvent(this, 'run-leave', null) }]),
      { label: 'Refresh', icon: 'refresh', choose: () => emitPanelEvent(this, 'panel-refresh', null) },
    ];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-run-view': RunView;
  }
}
