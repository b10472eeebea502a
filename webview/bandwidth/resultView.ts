import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { repeatsChart } from '../../src/core/pages/bandwidth/bandwidthCharts.js';
import type { BandwidthReport, BandwidthVerdict, RateSummary } from '../../src/core/bandwidth/bandwidthReport.js';
import { bandwidthFacts, latencyTable, nodesTable } from '../../src/core/pages/bandwidth/bandwidthTables.js';
import { shortRate, shortShare } from '../../src/core/text/quantities.js';
import type { PageTable } from '../../src/core/pages/table.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/chartView.js';
import type { MenuItem } from '../shared/menuButton.js';
import '../shared/menuButton.js';
import { primaryButtonStyles } from '../shared/primaryButtonStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { severityStyles } from '../shared/severityStyles.js';
import '../shared/tableView.js';
import type { BandwidthExport } from '../../src/protocol/messages.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import { factListStyles, renderFacts } from './factList.js';
import type { Opened } from '../shared/openedState.js';

const exports: MenuItem[] = [
  { id: 'report.json', label: 'Save as JSON…' },
  { id: 'report.md', label: 'Save as Markdown…' },
];

/** What a check measured and what that means, what it does not mean included. */
@customElement('stowage-check-result')
export class ResultView extends LitElement {
  static override styles = [
    baseStyles,
    primaryButtonStyles,
    quietButtonStyles,
    factListStyles,
    severityStyles,
    css`
      section {
        max-width: 92ch;
        margin-bottom: 22px;
      }
      h2 {
        margin-bottom: 6px;
      }
      .sentences p {
        margin: 4px 0;
        font-size: var(--stowage-large);
        line-height: 1.5;
        text-wrap: pretty;
        overflow-wrap: anywhere;
      }
      .sentences p:first-child {
        font-weight: 600;
      }
      .rates {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 40px;
        margin: 4px 0 12px;
      }
      .tile {
        padding-left: 10px;
        border-left: 3px solid var(--stowage-line);
      }
      .tile.fine,
      .tile.error {
        border-left-color: currentColor;
      }
      .tile > * {
        color: var(--vscode-foreground);
      }
      .tile > .muted {
        color: var(--stowage-muted);
      }
      .rate {
        display: flex;
        align-items: center;
        gap: 6px;
        font-size: var(--stowage-headline);
        font-weight: 600;
        letter-spacing: -0.2px;
      }
      .act {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        margin: 14px 0 4px;
      }
      .caveats li {
        position: relative;
        margin: 4px 0;
        padding-left: 14px;
        text-wrap: pretty;
        overflow-wrap: anywhere;
      }
      .caveats li::before {
        content: '·';
        position: absolute;
        left: 4px;
      }
      .meaning {
        margin-bottom: 6px;
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) report!: BandwidthReport;
  @property({ attribute: false }) opened: Opened = {};

  override render(): TemplateResult {
    const { report } = this;
    const { verdict, write, read, fileSystem } = report;
    const nodes = nodesTable(report);
    return html`<section class="verdict" aria-labelledby="verdict">
        <h2 id="verdict" class="visually-hidden">Verdict</h2>
        <div class="rates">${renderRate('write', write, verdict)} ${renderRate('read', read, null)}</div>
        <div class="sentences">${verdict.sentences.map((sentence) => html`<p>${visibleText(sentence)}</p>`)}</div>
        <div class="act">
          <button class="primary" @click=${() => emitBandwidthEvent(this, 'check-action', 'plan')}>Use in a plan</button>
          <button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-action', 'again')}>Check again</button>
          <button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-action', 'copy')}>Copy as Markdown</button>
          <stowage-menu-button
            label="Export"
            .items=${exports}
            @menu-choose=${(event: CustomEvent<BandwidthExport>) => emitBandwidthEvent(this, 'check-save', event.detail)}
          ></stowage-menu-button>
        </div>
      </section>
      <section aria-labelledby="repeats">
        <h2 id="repeats">What was measured</h2>
        <stowage-chart
          .chart=${repeatsChart(report)}
          .disclosure=${'table:repeats'}
          .isOpen=${this.opened['table:repeats'] === true}
        ></stowage-chart>
        ${nodes === null ? nothing : this.renderTable(nodes)} ${this.renderTable(latencyTable(report))}
      </section>
      <section aria-labelledby="caveats">
        <h2 id="caveats">Caveats</h2>
        <ul class="caveats">
          ${verdict.caveats.map(({ text }) => html`<li>${visibleText(text)}</li>`)}
        </ul>
      </section>
      <section aria-labelledby="facts">
        <h2 id="facts">Where and how</h2>
        <p class="meaning">${visibleText(fileSystem.meaning)}</p>
        ${renderFacts(bandwidthFacts(report))}
      </section>`;
  }

  private renderTable(table: PageTable): TemplateResult {
    const id = `rows:${table.id}`;
    return html`<stowage-table .table=${table} .disclosure=${id} .isOpen=${this.opened[id] === true}></stowage-table>`;
  }
}

/** @param need what the rate is held against, by colour, icon and words; null where nothing is needed of it */
function renderRate(
  what: string,
  { medianBytesPerSecond, minimumBytesPerSecond, spread }: RateSummary,
  need: BandwidthVerdict | null,
): TemplateResult {
  const rate = html`<span>${shortRate(medianBytesPerSecond)}</span>`;
  // The number keeps the colour of text: no theme promises that its green can be read.
  const look = need === null ? '' : need.isEnough ? 'fine' : 'error';
  return html`<div class="tile ${look}">
    <p class="muted">${what}</p>
    <p class="rate num">
      ${need === null ? nothing : html`<vscode-icon class=${look} name=${need.isEnough ? 'pass' : 'error'} size="18"></vscode-icon>`}${rate}
    </p>
    ${
      need === null
        ? nothing
        : html`<p class="num">${need.isEnough ? 'enough' : 'too slow'}: needs ${shortRate(need.neededBytesPerSecond)}</p>`
    }
    <p class="muted small num">minimum ${shortRate(minimumBytesPerSecond)} · spread ${shortShare(spread)}</p>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-result': ResultView;
  }
}
