import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { comparisonInWords } from '../../src/core/pages/checkpoint/comparisonWords.js';
import { formatBytes } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';

const shownPaths = 6;

/** Which bytes lie on disk more than once, and where. */
@customElement('stowage-stored-twice')
export class StoredTwice extends LitElement {
  static override styles = [
    baseStyles,
    css`
      li {
        padding: 8px 0;
        border-bottom: 1px solid var(--stowage-line);
      }
      h2 {
        margin-bottom: 2px;
      }
      strong {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private shown = listStep;

  override render(): TemplateResult {
    const { items } = this.report.storedTwice;
    return html`<h2>Duplicates</h2>
      <ul>
        ${items.slice(0, this.shown).map((item) => {
          const { what, bytes, paths, setting } = item;
          const more = paths.length - shownPaths;
          return html`<li class="wrap">
            <strong class="num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</strong> ${fileText(what)}
            ${setting === null ? nothing : html`<div>Setting that stops it: <span class="mono">${fileText(setting)}</span></div>`}
            <div class="muted">${comparisonInWords(item)}</div>
            <div class="mono muted">
              ${paths.slice(0, shownPaths).map((path, index) => html`${index === 0 ? '' : ', '}${fileText(path)}`)}${more > 0 ? ` and ${more} more` : ''}
            </div>
          </li>`;
        })}
      </ul>
      <stowage-more-line
        .shown=${this.shown}
        .total=${items.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-stored-twice': StoredTwice;
  }
}
