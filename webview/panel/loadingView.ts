import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { cardGridStyles } from '../shared/cardGridStyles.js';
import './progressLine.js';

/** The report's frame before there is a report: the same blocks at the same places, with how far it is where the answer will stand. */
@customElement('stowage-loading-view')
export class LoadingView extends LitElement {
  static override styles = [
    baseStyles,
    cardGridStyles,
    css`
      h1 {
        font-size: 1.385em;
        font-weight: 600;
        line-height: 1.3;
        min-height: 30px;
        padding: 8px 0 6px;
        box-sizing: content-box;
      }
      .block {
        background: color-mix(in srgb, var(--vscode-foreground) 7%, transparent);
        border: 1px solid var(--vscode-contrastBorder, transparent);
        border-radius: 4px;
      }
      .answer {
        min-height: 47px;
        margin: 4px 0 12px;
      }
      .bar {
        height: 30px;
        margin-bottom: 35px;
      }
      .sum {
        height: 47px;
        margin-bottom: 12px;
        border-radius: var(--stowage-radius);
      }
      .cards {
        padding: 6px 0;
      }
      .cards .block {
        height: 40px;
        border-radius: var(--stowage-radius);
      }
    `,
  ];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) progress: InspectionProgress | null = null;

  override render(): TemplateResult {
    return html`<h1 class="wrap">${fileText(this.name)}</h1>
      <div class="answer"><stowage-progress-line .progress=${this.progress}></stowage-progress-line></div>
      <div aria-hidden="true">
        <div class="block bar"></div>
        <div class="block sum"></div>
        <div class="cards">
          <div class="block"></div>
          <div class="block"></div>
          <div class="block"></div>
          <div class="block"></div>
        </div>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-loading-view': LoadingView;
  }
}
