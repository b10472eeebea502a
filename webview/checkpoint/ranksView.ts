import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { CheckpointReport, RankReport } from '../../src/core/checkpoints/checkpointReport.js';
import { deviationOf, deviationWords, summarizeRanks } from '../../src/core/pages/checkpoint/rankSummary.js';
import { formatBytes, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import './rankStrip.js';
import { timeText } from '../../src/core/pages/checkpoint/checkpointWords.js';

/** What each rank wrote, and which one is odd. */
@customElement('stowage-ranks-view')
export class RanksView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      stowage-rank-strip {
        margin: 12px 0 10px;
      }
      stowage-data-grid {
        max-width: 860px;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;

  private rows: readonly RankReport[] = [];
  private columns: GridColumn<RankReport>[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    const summary = changed.has('report') ? summarizeRanks(this.report) : null;
    if (summary === null) return;
    const odd = new Set(summary.odd);
    this.rows = oddFirst(this.report.ranks, odd);
    this.columns = columnsOf(summary.medianBytes, odd);
  }

  override render(): TemplateResult | typeof nothing {
    const { ranks } = this.report;
    const summary = summarizeRanks(this.report);
    if (summary === null) return nothing;
    return html`<p>
        <strong class="num">${summary.count}</strong> ranks wrote files, usually
        <span class="num" title=${exactBytes(summary.medianBytes)}>${formatBytes(summary.medianBytes)}</span> each:
        <bdi>${summary.words}</bdi>.
      </p>
      <stowage-rank-strip
        .ranks=${ranks}
        .summary=${summary}
        @rank-choose=${(event: CustomEvent<string>) => this.showFiles(event.detail)}
      ></stowage-rank-strip>
      <stowage-data-grid
        .name=${'ranks'}
        .label=${'Ranks'}
        .noun=${'rank'}
        .columns=${this.columns}
        .rows=${this.rows}
        .state=${this.tables['ranks'] ?? initialGridState}
        @grid-open=${({ detail: { row } }: CustomEvent<RowAt<RankReport>>) => row !== undefined && this.showFiles(row.rank)}
      ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private showFiles(rank: string): void {
    emitPanelEvent(this, 'panel-rank', rank);
  }
}

function columnsOf(medianBytes: number, odd: ReadonlySet<RankReport>): GridColumn<RankReport>[] {
  return [
    {
      id: 'rank',
      label: 'rank',
      widthPx: 120,
      value: ({ rank }) => rank,
      cell: ({ rank }) => html`<span class="mono">${middleText(rank)}</span>`,
      title: () => 'Enter shows its files',
    },
    {
      id: 'bytes',
      label: 'size',
      widthPx: 96,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => formatBytes(bytes),
      title: ({ bytes }) => exactBytes(bytes),
    },
    {
      id: 'deviation',
      label: 'against the usual',
      widthPx: 130,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes - medianBytes,
      cell: (rank) =>
        odd.has(rank)
          ? html`<strong>${differenceText(rank.bytes, medianBytes)}</strong>`
          : html`<span class="muted">${differenceText(rank.bytes, medianBytes)}</span>`,
      title: ({ bytes }) => deviationWords(bytes, medianBytes),
    },
    { id: 'files', label: 'files', widthPx: 70, isNumber: true, value: ({ files }) => files },
    {
      id: 'modified',
      label: 'written (UTC)',
      widthPx: 172,
      worth: 1,
      value: ({ modified }) => modified,
      cell: ({ modified }) => html`<span class="num muted">${timeText(modified)}</span>`,
    },
  ];
}

/** Odd ranks come first, as they are what one looks for among a thousand. */
function oddFirst(ranks: readonly RankReport[], odd: ReadonlySet<RankReport>): RankReport[] {
  return [...odd, ...ranks.filter((rank) => !odd.has(rank))];
}

/** `−59.0 %`, `equal`. What rounds to nothing has no sign. */
function differenceText(bytes: number, medianBytes: number): string {
  const deviation = deviationOf(bytes, medianBytes);
  if (deviation === 0) return 'equal';
  if (!Number.isFinite(deviation)) return '–';
  const share = formatShare(Math.abs(deviation));
  if (share.startsWith('<')) return share;
  return `${deviation > 0 ? '+' : '−'}${share}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-ranks-view': RanksView;
  }
}
