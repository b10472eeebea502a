import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { isNotTokenized } from '../../src/core/pages/dataset/datasetLines.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';

/** Below an estimate of raw text: which tokenizer counted a sample, or that none did, and the way to choose one. */
@customElement('stowage-tokenizer-offer')
export class TokenizerOffer extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    css`
      .offer {
        display: flex;
        flex-direction: column;
        align-items: flex-start;
        gap: 8px;
        margin: 0 0 18px;
      }
      p {
        max-width: 84ch;
        overflow-wrap: anywhere;
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) report!: DatasetReport;
  /** While the dataset is inspected again. */
  @property({ attribute: false }) busy = false;

  override render(): TemplateResult | typeof nothing {
    const tokenizer = this.report.text?.tokenizer ?? null;
    // Records of numbers are counted without one.
    if (tokenizer === null && !isNotTokenized(this.report)) return nothing;
    return html`<div class="offer">
      <p>${this.renderWords(tokenizer)}</p>
      <button class="quiet" ?disabled=${this.busy} @click=${() => emitPanelEvent(this, 'panel-tokenizer', null)}>
        ${tokenizer === null ? 'Choose a tokenizer.json…' : 'Choose another tokenizer.json…'}
      </button>
    </div>`;
  }

  private renderWords(tokenizer: string | null): TemplateResult {
    if (tokenizer !== null) {
      const what = this.report.tokens?.confidence === 1 ? 'All of the text' : 'A sample';
      return html`${what} was tokenized with <span class="mono">${fileText(tokenizer)}</span>.`;
    }
    const why = this.report.text?.tokenizerError ?? null;
    return html`${why === null ? nothing : html`The tokenizer was not used: ${fileText(why)}. `}Nothing was tokenized: the range
    is typical of text. With the tokenizer.json of your model, samples at random places are tokenized, and the range gets narrow.`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tokenizer-offer': TokenizerOffer;
  }
}
