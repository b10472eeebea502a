import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { historyChart } from '../../src/core/pages/bandwidth/bandwidthCharts.js';
import type { BandwidthReport } from '../../src/core/bandwidth/bandwidthReport.js';
import { historyTable } from '../../src/core/pages/bandwidth/historyTable.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import '../shared/chartView.js';
import type { MenuItem } from '../shared/menuButton.js';
import '../shared/menuButton.js';
import '../shared/tableView.js';
import type { BandwidthExport } from '../../src/protocol/messages.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import type { Opened } from '../shared/openedState.js';

const exports: MenuItem[] = [
  { id: 'history.csv', label: 'Save all as CSV…' },
  { id: 'history.json', label: 'Save all as JSON…' },
];

/** Earlier results of the directory, over time and each against the one before. */
@customElement('stowage-check-history')
export class HistoryView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      section {
        max-width: 92ch;
        padding-top: 16px;
        border-top: 1px solid var(--stowage-line);
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 6px 12px;
      }
      .head stowage-menu-button {
        margin-left: auto;
      }
    `,
  ];

  /** The newest last. */
  @property({ attribute: false }) reports: readonly BandwidthReport[] = [];
  @property({ attribute: false }) opened: Opened = {};

  override render(): TemplateResult | typeof nothing {
    const { reports } = this;
    if (reports.length === 0) return nothing;
    const chart = historyChart(reports);
    return html`<section aria-labelledby="history">
      <div class="head">
        <h2 id="history">Earlier checks here</h2>
        <span class="muted">${counted(reports.length, 'check')}</span>
        <stowage-menu-button
          label="Export all"
          .items=${exports}
          @menu-choose=${(event: CustomEvent<BandwidthExport>) => emitBandwidthEvent(this, 'check-save', event.detail)}
        ></stowage-menu-button>
      </div>
      ${chart === null ? nothing : html`<stowage-chart .chart=${chart} .hasTable=${false}></stowage-chart>`}
      <stowage-table
        .table=${historyTable(reports)}
        .disclosure=${'rows:history'}
        .isOpen=${this.opened['rows:history'] === true}
      ></stowage-table>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-history': HistoryView;
  }
}
