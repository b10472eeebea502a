import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { SideName } from '../../src/core/comparison/comparedCheckpoint.js';
import type { ComparedSide, ComparisonReport } from '../../src/core/comparison/comparisonReport.js';
import { sideFacts } from '../../src/core/pages/comparison/sideFacts.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ComparePanelEvents } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import { middleText, middleTextStyles } from '../shared/middleText.js';
import { emitCompareEvent } from './compareEvents.js';

/** What A and B are, beside each other. The name of each opens its report. */
@customElement('stowage-compared-sides')
export class ComparedSides extends LitElement {
  static override styles = [
    baseStyles,
    middleTextStyles,
    css`
      .sides {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
        gap: 8px 12px;
        margin: 6px 0 12px;
      }
      section {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 2px 10px;
        padding: 8px 12px;
        border: 1px solid var(--stowage-line);
        border-radius: var(--stowage-radius);
        background: var(--stowage-raised);
      }
      .letter {
        grid-row: span 3;
        font-size: var(--stowage-headline);
        font-weight: 600;
        line-height: 1.2;
      }
      h2 {
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) sides!: ComparePanelEvents['sides'];
  @property({ attribute: false }) report!: ComparisonReport;

  override render(): TemplateResult {
    return html`<div class="sides">${this.renderSide('a', this.report.a)} ${this.renderSide('b', this.report.b)}</div>`;
  }

  private renderSide(side: SideName, compared: ComparedSide): TemplateResult {
    const letter = side.toUpperCase();
    const { name } = this.sides[side];
    return html`<section aria-label=${letter}>
      <span class="letter" aria-hidden="true">${letter}</span>
      <h2>
        <button class="link wrap" title="Open its report" @click=${() => emitCompareEvent(this, 'compare-inspect', side)}>
          <span class="visually-hidden">${letter}: </span>${fileText(name)}
        </button>
      </h2>
      <p class="num" title=${exactBytes(compared.totalBytes)}><bdi>${visibleText(sideFacts(compared))}</bdi></p>
      <p class="muted small mono" title=${visibleText(compared.path)}>${middleText(compared.path)}</p>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-compared-sides': ComparedSides;
  }
}
