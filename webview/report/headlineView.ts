import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/report/checkpointReport.js';
import { headlineOf } from '../../src/core/report/headline.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';

/** The answer: how big, why, and whether training can go on from here. */
@customElement('stowage-headline')
export class HeadlineView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        font-size: 1.154em;
        line-height: 1.55;
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
      .size {
        font-size: 1.467em;
        font-weight: 600;
        letter-spacing: -0.2px;
        line-height: 1.4;
      }
      .why {
        font-weight: 600;
        text-wrap: pretty;
      }
      .share {
        white-space: nowrap;
      }
      .resume {
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;

  override render(): TemplateResult {
    const { size, binarySize, why, resume } = headlineOf(this.report);
    return html`
      <p>
        <span class="size num" title=${exactBytes(this.report.totalBytes)}>${size}</span>
        ${this.report.totalBytes < 1024 ? '' : html`<span class="muted num">(${binarySize})</span>`}
      </p>
      <p class="why">
        ${why.split(/(\d[\d.]* %)/).map((text, index) => (index % 2 === 0 ? text : html`<span class="share">${text}</span>`))}
      </p>
      <p class="resume">${resume}</p>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-headline': HeadlineView;
  }
}
