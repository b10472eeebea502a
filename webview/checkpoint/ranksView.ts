import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CheckpointReport, RankReport } from '../../src/core/checkpoints/checkpointReport.js';
import { deviationOf, deviationWords, summarizeRanks } from '../../src/core/pages/checkpoint/rankSummary.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import './rankStrip.js';
import { timeText } from '../../src/core/pages/checkpoint/checkpointWords.js';

/** What each rank wrote, and which one is odd. */
@customElement('stowage-ranks-view')
export class RanksView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        container-type: inline-size;
      }
      stowage-rank-strip {
        margin: 12px 0 10px;
      }
      .odd {
        font-weight: 600;
      }
      td {
        white-space: nowrap;
      }
      @container (min-width: 720px) {
        table {
          width: auto;
          min-width: 620px;
        }
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private shown = listStep;

  override render(): TemplateResult | typeof nothing {
    const { ranks } = this.report;
    const summary = summarizeRanks(this.report);
    if (summary === null) return nothing;
    const odd = new Set(summary.odd);
    const hasTimes = ranks.some(({ modified }) => modified !== null);
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
      <div class="scroll-x">
        <table>
          <caption class="visually-hidden">
            Ranks
          </caption>
          <thead>
            <tr>
              <th scope="col">rank</th>
              <th scope="col" class="end">size</th>
              <th scope="col" class="end" title="Against the median of all ranks">against the usual</th>
              <th scope="col" class="end">files</th>
              ${hasTimes ? html`<th scope="col">written (UTC)</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${oddFirst(ranks, odd)
              .slice(0, this.shown)
              .map((rank) => this.renderRank(rank, summary.medianBytes, odd.has(rank), hasTimes))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${ranks.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }

  private renderRank(
    { rank, bytes, files, modified }: RankReport,
    medianBytes: number,
    isOdd: boolean,
    hasTimes: boolean,
  ): TemplateResult {
    return html`<tr>
      <th scope="row">
        <button class="link mono wrap" title="Show its files" @click=${() => this.showFiles(rank)}>${fileText(rank)}</button>
      </th>
      <td class="end num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</td>
      <td class=${`end num ${isOdd ? 'odd' : 'muted'}`} title=${deviationWords(bytes, medianBytes)}>
        ${differenceText(bytes, medianBytes)}
      </td>
      <td class="end num">${formatCount(files)}</td>
      ${hasTimes ? html`<td class="num muted">${timeText(modified)}</td>` : nothing}
    </tr>`;
  }

  private showFiles(rank: string): void {
    emitPanelEvent(this, 'panel-rank', rank);
  }
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
