import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ReportVerdict } from '../../src/core/pages/reportVerdict.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { verdictIcon } from './severityIcons.js';
import { severityStyles } from '../shared/severityStyles.js';

/** The answer: whether it is well, how big it is, and why. */
@customElement('stowage-headline')
export class HeadlineView extends LitElement {
  static override styles = [
    baseStyles,
    severityStyles,
    css`
      :host {
        font-size: var(--stowage-large);
        line-height: 1.5;
        max-width: 110ch;
        overflow-wrap: anywhere;
      }
      .verdict {
        display: flex;
        gap: 8px;
      }
      .verdict vscode-icon {
        flex: none;
        margin-top: 4px;
      }
      .text {
        font-weight: 600;
      }
      .lead {
        font-size: var(--stowage-headline);
        font-weight: 600;
        letter-spacing: -0.2px;
        line-height: 1.4;
      }
      .share {
        white-space: nowrap;
      }
      p {
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) verdict!: ReportVerdict;
  @property({ attribute: false }) totalBytes = 0;
  /** Empty while it is not known. */
  @property({ attribute: false }) size = '';
  @property({ attribute: false }) binarySize = '';
  /** Why it has that size, or what it holds. */
  @property({ attribute: false }) answer = '';
  /** Of what is counted in something else than bytes: that comes first. */
  @property({ attribute: false }) answerFirst = false;
  /** What adds to it; empty for most. */
  @property({ attribute: false }) more = '';

  override render(): TemplateResult {
    const { answerFirst, answer, size, more } = this;
    const parts = answerFirst ? [this.renderAnswer(), this.renderSize()] : [this.renderSize(), this.renderAnswer()];
    return html`
      ${this.renderVerdict()} ${answer === '' && size === '' ? nothing : html`<p class="answer">${parts}</p>`}
      ${more === '' ? nothing : html`<p class="more">${more}</p>`}
    `;
  }

  private renderSize(): TemplateResult | typeof nothing {
    const { totalBytes, size, binarySize, answerFirst } = this;
    if (size === '') return nothing;
    return html`<span class=${answerFirst ? 'num share' : 'lead num share'} title=${exactBytes(totalBytes)}>${size}</span>
      ${totalBytes < 1024 ? '' : html`<span class="muted num share">(${binarySize})</span>`} `;
  }

  private renderAnswer(): TemplateResult {
    const parts = this.answer.split(/(\d[\d.,]* (?:%|[kMBT]\b))/);
    return html`<span class=${this.answerFirst ? 'lead num' : ''}
      >${parts.map((text, index) => (index % 2 === 0 ? text : html`<span class="share">${text}</span>`))}</span
    > `;
  }

  private renderVerdict(): TemplateResult | typeof nothing {
    const { severity, text, more } = this.verdict;
    if (text === '') return nothing;
    return html`<div class="verdict">
      ${verdictIcon(severity, 16)}
      <p class="clamp" title=${`${text} ${more}`}><span class="text">${text}</span> ${more}</p>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-headline': HeadlineView;
  }
}
