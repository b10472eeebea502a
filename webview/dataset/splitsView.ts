import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { DatasetReport, DatasetSplit } from '../../src/core/datasets/datasetReport.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { clampedText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';

/** The parts of the dataset: train, validation, and what else it calls them. */
@customElement('stowage-splits-view')
export class SplitsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .num {
        white-space: nowrap;
      }
      tbody th {
        color: inherit;
        white-space: normal;
        min-width: 8em;
      }
    `,
  ];

  @property({ attribute: false }) report!: DatasetReport;
  @state() private shown = listStep;

  override render(): TemplateResult {
    const { splits } = this.report;
    return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Splits">
        <table>
          <caption class="visually-hidden">
            Splits
          </caption>
          <thead>
            <tr>
              <th scope="col">split</th>
              <th scope="col" class="end">shards</th>
              <th scope="col" class="end">bytes</th>
              <th scope="col" class="end">share</th>
              <th scope="col" class="end">samples</th>
              <th scope="col" class="end">tokens</th>
            </tr>
          </thead>
          <tbody>
            ${splits.slice(0, this.shown).map((split) => this.renderSplit(split))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${splits.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }

  private renderSplit({ name, shards, bytes, samples, tokens }: DatasetSplit): TemplateResult {
    const { totalBytes } = this.report;
    return html`<tr>
      <th scope="row" class="wrap">${clampedText(name)}</th>
      <td class="end num">${formatCount(shards)}</td>
      <td class="end num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</td>
      <td class="end num">${totalBytes === 0 ? '–' : formatShare(bytes / totalBytes)}</td>
      <td class="end num">${samples === null ? '–' : formatCount(samples)}</td>
      <td class="end num">${tokens === null ? '–' : formatCount(tokens)}</td>
    </tr>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-splits-view': SplitsView;
  }
}
