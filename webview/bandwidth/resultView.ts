import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { BandwidthReport } from '../../src/core/bandwidth/bandwidthReport.js';
import { isObjectStore } from '../../src/core/bandwidth/fileSystemKind.js';
import { repeatsChart } from '../../src/core/pages/bandwidth/bandwidthCharts.js';
import { bandwidthFacts, latencyTable, nodesTable } from '../../src/core/pages/bandwidth/bandwidthTables.js';
import { sustainedChart, sustainedTable } from '../../src/core/pages/bandwidth/sustainedPage.js';
import { sweepChart, sweepSentences } from '../../src/core/pages/bandwidth/sweepPage.js';
import type { PageChart } from '../../src/core/pages/chart.js';
import { counted } from '../../src/core/text/quantities.js';
import type { PageTable } from '../../src/core/pages/table.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
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
import { rateTileStyles, renderRateTiles } from './rateTiles.js';
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
    rateTileStyles,
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
      .answers p {
        margin: 2px 0;
        text-wrap: pretty;
      }
      .answers p:first-child {
        font-weight: 600;
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
    const { verdict, fileSystem } = report;
    const nodes = nodesTable(report);
    return html`<section class="verdict" aria-labelledby="verdict">
        <h2 id="verdict" class="visually-hidden">Verdict</h2>
        ${renderRateTiles(report)}
        <div class="sentences">${verdict.sentences.map((sentence) => html`<p>${keepUnits(visibleText(sentence))}</p>`)}</div>
        <div class="act">
          ${this.renderNextActions(report)}
          <button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-action', 'again')}>Check again</button>
          <button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-action', 'copy')}>Copy as Markdown</button>
          <stowage-menu-button
            label="Export"
            .items=${exports}
            @menu-choose=${(event: CustomEvent<BandwidthExport>) => emitBandwidthEvent(this, 'check-save', event.detail)}
          ></stowage-menu-button>
        </div>
      </section>
      ${this.renderSweep(report)} ${this.renderSustained(report)}
      <section aria-labelledby="repeats">
        <h2 id="repeats">What was measured</h2>
        ${this.renderChart(repeatsChart(report))} ${nodes === null ? nothing : this.renderTable(nodes)}
        ${this.renderTable(latencyTable(report))}
      </section>
      ${renderCaveats(verdict.caveats)}
      <section aria-labelledby="facts">
        <h2 id="facts">Where and how</h2>
        <p class="meaning">${visibleText(fileSystem.meaning)}</p>
        ${renderFacts(bandwidthFacts(report))}
      </section>`;
  }

  /** What comes next: a plan; where a burst leaves the answer open, what decides it comes first. */
  private renderNextActions(report: BandwidthReport): TemplateResult {
    const measures = canDecideByBurst(report);
    const plan = html`<button
      class=${measures ? 'quiet' : 'primary'}
      @click=${() => emitBandwidthEvent(this, 'check-action', 'plan')}
    >
      Use in a plan
    </button>`;
    if (!measures) return plan;
    return html`<button class="primary" @click=${() => emitBandwidthEvent(this, 'check-action', 'sustained')}>
        Measure sustained rate
      </button>
      ${plan}`;
  }

  private renderSweep({ sweep }: BandwidthReport): TemplateResult | typeof nothing {
    if (sweep === null) return nothing;
    return html`<section aria-labelledby="streams">
      <h2 id="streams">Streams</h2>
      <div class="answers">${sweepSentences(sweep).map((sentence) => html`<p>${visibleText(sentence)}</p>`)}</div>
      ${this.renderChart(sweepChart(sweep))}
      <div class="act">
        <button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-action', 'streams')}>
          Check with ${counted(sweep.recommended.streams, 'stream')}
        </button>
      </div>
    </section>`;
  }

  private renderSustained({ sustained }: BandwidthReport): TemplateResult | typeof nothing {
    if (sustained === null) return nothing;
    return html`<section aria-labelledby="sustained">
      <h2 id="sustained">Sustained rate</h2>
      ${this.renderChart(sustainedChart(sustained))}
      <p class="muted">${visibleText(sustainedTable(sustained).note)}</p>
    </section>`;
  }

  private renderChart(chart: PageChart): TemplateResult {
    const id = `table:${chart.id}`;
    return html`<stowage-chart .chart=${chart} .disclosure=${id} .isOpen=${this.opened[id] === true}></stowage-chart>`;
  }

  private renderTable(table: PageTable): TemplateResult {
    const id = `rows:${table.id}`;
    return html`<stowage-table .table=${table} .disclosure=${id} .isOpen=${this.opened[id] === true}></stowage-table>`;
  }
}

function renderCaveats(caveats: BandwidthReport['verdict']['caveats']): TemplateResult | typeof nothing {
  if (caveats.length === 0) return nothing;
  return html`<section aria-labelledby="caveats">
    <h2 id="caveats">Caveats</h2>
    <ul class="caveats">
      ${caveats.map(({ text }) => html`<li>${visibleText(text)}</li>`)}
    </ul>
  </section>`;
}

function canDecideByBurst({ verdict, sustained, nodes, fileSystem }: BandwidthReport): boolean {
  const isOpen = verdict.sufficiency === 'may-be-enough' && verdict.decidedBy.caveat === 'burst';
  return isOpen && sustained === null && nodes === null && !isObjectStore(fileSystem.type);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-result': ResultView;
  }
}
