import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { lengthSentence } from '../../src/core/pages/dataset/datasetLines.js';
import type { DatasetReport, LengthHistogram } from '../../src/core/datasets/datasetReport.js';
import { lengthBins, type LengthBin } from '../../src/core/pages/dataset/lengthBins.js';
import { formatCount, formatShare } from '../../src/core/text/units.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { cssProperties } from '../shared/cssProperties.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { lengthsViewStyles } from './lengthsViewStyles.js';

const chartHeight = 180;
/** Labels of the axis; more would touch on a narrow page. */
const mostLabels = 6;

/** How long samples are: the histogram as a picture and as a table, or the offer to read all lengths. */
@customElement('stowage-lengths-view')
export class LengthsView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, lengthsViewStyles];

  @property({ attribute: false }) report!: DatasetReport;
  /** While the dataset is inspected again. */
  @property({ attribute: false }) busy = false;
  @state() private asTable = false;

  override render(): TemplateResult {
    const { lengths } = this.report;
    return html`${this.report.lengthsOnRequest ? this.renderOffer(lengths !== null) : nothing}
    ${lengths === null ? nothing : this.renderLengths(lengths)}`;
  }

  private renderOffer(some: boolean): TemplateResult {
    return html`<div class="offer">
      <p>
        ${some ? 'Some lengths were' : 'The lengths were'} not read: there are so many that it takes a while. Nothing else of the
        data is read.
      </p>
      <button class="quiet" ?disabled=${this.busy} @click=${() => emitPanelEvent(this, 'panel-refresh', { allLengths: true })}>
        ${this.busy ? 'Reading lengths' : 'Read all lengths'}
      </button>
    </div>`;
  }

  private renderLengths(lengths: LengthHistogram): TemplateResult {
    const bins = lengthBins(lengths);
    return html`<p class="sentence">${lengthSentence(this.report)}</p>
      ${bins.length < 2 ? nothing : this.renderChart(bins, lengths)}
      ${
        bins.length < 2
          ? nothing
          : html`<button
              class="link"
              aria-expanded=${this.asTable}
              aria-controls="table"
              @click=${() => (this.asTable = !this.asTable)}
            >
              ${this.asTable ? 'Hide the table' : 'Show as table'}
            </button>`
      }
      <div id="table" ?hidden=${!this.asTable}>${this.asTable ? renderTable(bins, lengths) : nothing}</div>`;
  }

  private renderChart(bins: LengthBin[], lengths: LengthHistogram): TemplateResult {
    const most = bins.reduce((top, { count }) => Math.max(top, count), 1);
    const width = 100 / bins.length;
    const step = Math.max(1, Math.ceil(bins.length / mostLabels));
    return html`<figure>
      <div class="top muted small num">${formatCount(most)}</div>
      <svg role="img" aria-label=${`Histogram. ${lengthSentence(this.report)}`} width="100%" height=${chartHeight}>
        ${bins.map((bin, index) => {
          const height = bin.count === 0 ? 0 : Math.max(1.5, (bin.count / most) * chartHeight);
          return svg`<g>
            <title>${`${rangeOf(bin)} tokens: ${formatCount(bin.count)}, ${formatShare(bin.count / lengths.count)}`}</title>
            <rect class="hit" x=${`${index * width}%`} y="0" width=${`${width}%`} height=${chartHeight}></rect>
            <rect class="bar" x=${`${(index + 0.06) * width}%`} y=${chartHeight - height} width=${`${width * 0.88}%`} height=${height}></rect>
          </g>`;
        })}
      </svg>
      <div class="axis num muted small" aria-hidden="true">
        ${bins
          .map((bin, index) => ({ bin, index }))
          .filter(({ index }) => index % step === 0)
          .map(({ bin, index }) => html`<span ${cssProperties({ left: `${index * width}%` })}>${formatCount(bin.from)}</span>`)}
      </div>
      <figcaption class="muted small">
        tokens in a ${lengths.unit === 'sample' || lengths.unit.length > 24 ? 'sample' : lengths.unit} (logarithmic)
      </figcaption>
    </figure>`;
  }
}

function renderTable(bins: LengthBin[], { count }: LengthHistogram): TemplateResult {
  return html`<table>
    <caption class="visually-hidden">
      Samples by length
    </caption>
    <thead>
      <tr>
        <th scope="col">tokens</th>
        <th scope="col" class="end">samples</th>
        <th scope="col" class="end">share</th>
      </tr>
    </thead>
    <tbody>
      ${bins.map(
        (bin) =>
          html`<tr>
            <th scope="row" class="num">${rangeOf(bin)}</th>
            <td class="end num">${formatCount(bin.count)}</td>
            <td class="end num">${formatShare(bin.count / count)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function rangeOf({ from, to }: LengthBin): string {
  return from === to ? formatCount(from) : `${formatCount(from)} to ${formatCount(to)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-lengths-view': LengthsView;
  }
}
