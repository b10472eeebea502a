import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CheckpointReport, RankReport } from '../../src/core/report/checkpointReport.js';
import { summarizeRanks } from '../../src/core/report/rankSummary.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/report/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import './rankStrip.js';

/** What each rank wrote, and which one is odd. */
@customElement('stowage-ranks-view')
export class RanksView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      stowage-rank-strip {
        margin: 12px 0 16px;
      }
      .reshard {
        margin-top: 2px;
        max-width: 92ch;
      }
      .odd {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private shown = listStep;

  override render(): TemplateResult | typeof nothing {
    const { ranks, resume } = this.report;
    const summary = summarizeRanks(this.report);
    if (summary === null) return nothing;
    const odd = new Set(summary.odd);
    return html`<p>
        Ranks: <strong class="num">${summary.count}</strong>, ${summary.words}; usually
        <span class="num" title=${exactBytes(summary.medianBytes)}>${formatBytes(summary.medianBytes)}</span> each.
      </p>
      ${resume.reshard === undefined ? nothing : html`<p class="reshard muted">${fileText(resume.reshard.detail)}</p>`}
      <stowage-rank-strip
        .ranks=${ranks}
        .odd=${odd}
        .label=${`Bytes of ${summary.count} ranks, ${summary.words}`}
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
              <th scope="col" class="end">against the usual</th>
              <th scope="col" class="end">files</th>
              <th scope="col">written</th>
            </tr>
          </thead>
          <tbody>
            ${oddFirst(ranks, odd)
              .slice(0, this.shown)
              .map((rank) => renderRank(rank, summary.medianBytes, odd.has(rank)))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${ranks.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }
}

/** Odd ranks come first, as they are what one looks for among a thousand. */
function oddFirst(ranks: readonly RankReport[], odd: ReadonlySet<RankReport>): RankReport[] {
  return [...odd, ...ranks.filter((rank) => !odd.has(rank))];
}

function renderRank({ rank, bytes, files, modified }: RankReport, medianBytes: number, isOdd: boolean): TemplateResult {
  const difference = medianBytes === 0 ? 0 : (bytes - medianBytes) / medianBytes;
  const sign = difference > 0 ? '+' : '−';
  return html`<tr>
    <th scope="row" class="mono">${fileText(rank)}</th>
    <td class="end num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</td>
    <td class=${`end num ${isOdd ? 'odd' : 'muted'}`}>
      ${difference === 0 ? 'equal' : `${sign}${formatShare(Math.abs(difference))}`}
    </td>
    <td class="end num">${formatCount(files)}</td>
    <td class="num muted">${modified === null ? '' : modified.slice(0, 19).replace('T', ' ')}</td>
  </tr>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-ranks-view': RanksView;
  }
}
