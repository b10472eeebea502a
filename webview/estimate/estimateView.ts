import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ConfigFinding, EstimateReport, PlacedEstimate } from '../../src/core/estimates/estimateReport.js';
import { estimateSubtitle } from '../../src/core/pages/estimate/estimateLines.js';
import { estimateTables, type EstimateTable, type EstimateTableId } from '../../src/core/pages/estimate/estimateTables.js';
import { estimateHeadline, estimateVerdict } from '../../src/core/pages/estimate/estimateVerdict.js';
import { countsInWords, sortedFindings } from '../../src/core/pages/findingCounts.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { findingItem } from '../panel/findingItem.js';
import { findingsViewStyles } from '../panel/findingsViewStyles.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { ReportElement } from '../panel/reportElement.js';
import '../panel/reportHeader.js';
import type { HeaderAction } from '../panel/reportHeader.js';
import { reportViewStyles } from '../panel/reportViewStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import { severityStyles } from '../shared/severityStyles.js';
import { emitEstimateEvent } from './estimateEvents.js';
import './estimateTableView.js';
import type { EstimateViewState } from './estimateViewState.js';
import './termBar.js';
import './whatIfView.js';

/** Findings before more are asked for: the table below is to be seen on the first screen. */
const firstFindings = 3;

/** The whole estimate of a config: whether it fits, how large and why, what will hurt, then the tables. */
@customElement('stowage-estimate-view')
export class EstimateView extends ReportElement<PlacedEstimate, EstimateViewState> {
  static override styles = [
    baseStyles,
    severityStyles,
    findingsViewStyles,
    reportViewStyles,
    css`
      stowage-term-bar,
      .findings {
        margin-bottom: 14px;
      }
    `,
  ];

  /** With other values; null where none are tried. */
  @property({ attribute: false }) changed: EstimateReport | null = null;
  /** The whole path of the config. */
  @property({ attribute: false }) path = '';
  @state() private shown = firstFindings;
  private tables: EstimateTable[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.tables = estimateTables(this.report.report);
    const { tab } = this.view;
    this.fills = tab !== null && tab === this.table()?.id && filledBy.has(tab);
  }

  override render(): TemplateResult {
    const { report } = this.report;
    const { size, totalBytes } = estimateHeadline(report);
    const verdict = estimateVerdict(report);
    return html`<stowage-report-header
        .name=${this.name}
        .path=${this.path}
        .subtitle=${visibleText(estimateSubtitle(report))}
        .actions=${this.actions()}
        .isPlanned=${!report.trainsNothing}
        .summary=${this.fills ? { size, totalBytes, verdict } : null}
      ></stowage-report-header>
      ${this.fills ? nothing : this.renderAnswer()} ${this.tables.length === 0 ? nothing : this.renderTables()}`;
  }

  private renderAnswer(): TemplateResult {
    const { report } = this.report;
    const { checkpoint } = report;
    const { size, binarySize, totalBytes, answer, more } = estimateHeadline(report);
    return html`<stowage-headline
        .verdict=${estimateVerdict(report)}
        .totalBytes=${totalBytes}
        .size=${size}
        .binarySize=${binarySize}
        .answer=${visibleText(answer)}
        .more=${more}
      ></stowage-headline>
      ${(checkpoint.bytes ?? 0) === 0 ? nothing : html`<stowage-term-bar .checkpoint=${checkpoint}></stowage-term-bar>`}
      ${report.findings.length === 0 ? nothing : this.renderFindings(report.findings)}
      <stowage-what-if
        .report=${report}
        .changed=${this.changed}
        .isOpen=${this.view.opened['what-if'] === true}
      ></stowage-what-if>`;
  }

  private renderFindings(findings: readonly ConfigFinding[]): TemplateResult {
    const sorted = sortedFindings({ findings });
    return html`<section class="findings" aria-label="Findings">
      <ul>
        ${sorted.slice(0, this.shown).map((finding) =>
          findingItem(finding, {
            title: 'Open the config there',
            text: fileText(finding.key),
            open: () => emitEstimateEvent(this, 'estimate-open', this.offsetOf(finding)),
          }),
        )}
      </ul>
      <stowage-more-line
        .shown=${this.shown}
        .total=${sorted.length}
        .rest=${countsInWords(sorted.slice(this.shown))}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>
    </section>`;
  }

  private renderTables(): TemplateResult {
    const shown = this.table();
    return html`<stowage-tab-strip
      label="Parts of the estimate"
      .tabs=${this.tables.map(({ id, label, rows }) => ({ id, label, count: rows.length }))}
      .selected=${shown?.id ?? ''}
      .fills=${this.fills}
      @tab-select=${(event: CustomEvent<EstimateTableId>) => emitEstimateEvent(this, 'estimate-tab', event.detail)}
      >${
        shown === undefined
          ? nothing
          : html`<stowage-estimate-table
              .table=${shown}
              .tables=${this.view.tables}
              .offsets=${shown.id === 'unresolved' ? this.report.offsets.unresolved : []}
              .fills=${this.fills}
            ></stowage-estimate-table>`
      }</stowage-tab-strip
    >`;
  }

  /** The chosen table, or the first where none is chosen or it has no rows any more. */
  private table(): EstimateTable | undefined {
    return this.tables.find(({ id }) => id === this.view.tab) ?? this.tables[0];
  }

  private actions(): HeaderAction[] {
    const [worst] = sortedFindings(this.report.report);
    return [
      {
        label: 'Open config',
        icon: 'go-to-file',
        choose: () => emitEstimateEvent(this, 'estimate-open', worst === undefined ? null : this.offsetOf(worst)),
      },
      { label: 'Copy as Markdown', icon: 'markdown', choose: () => emitPanelEvent(this, 'panel-export', 'markdown') },
    ];
  }

  private offsetOf(finding: ConfigFinding): number | null {
    const { report, offsets } = this.report;
    return offsets.findings[report.findings.indexOf(finding)] ?? null;
  }
}

/** Tabs whose table takes the page once it is chosen: the headline becomes a line of the header. */
const filledBy = new Set<EstimateTableId>(['tensors', 'adapter', 'unresolved']);

declare global {
  interface HTMLElementTagNameMap {
    'stowage-estimate-view': EstimateView;
  }
}
