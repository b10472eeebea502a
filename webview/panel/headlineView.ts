import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';

/** The answer: how big, and two sentences on what that is. */
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
      .answer {
        font-weight: 600;
        text-wrap: pretty;
      }
      .share {
        white-space: nowrap;
      }
      .more {
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) totalBytes = 0;
  @property({ attribute: false }) size = '';
  @property({ attribute: false }) binarySize = '';
  /** The sentence that answers; the other adds to it. */
  @property({ attribute: false }) answer = '';
  @property({ attribute: false }) more = '';

  override render(): TemplateResult {
    const { totalBytes, size, binarySize, answer, more } = this;
    return html`
      <p>
        <span class="size num" title=${exactBytes(totalBytes)}>${size}</span>
        ${totalBytes < 1024 ? '' : html`<span class="muted num">(${binarySize})</span>`}
      </p>
      <p class="answer">
        ${answer.split(/(\d[\d.,]* (?:%|[kMBT]\b))/).map((text, index) => (index % 2 === 0 ? text : html`<span class="share">${text}</span>`))}
      </p>
      <p class="more">${more}</p>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-headline': HeadlineView;
  }
}
