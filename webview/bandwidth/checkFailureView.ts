import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CheckErrorCode } from '../../src/core/bandwidth/checkError.js';
import { checkErrorInWords } from '../../src/core/pages/bandwidth/checkErrorWords.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { CheckFailure } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { primaryButtonStyles } from '../shared/primaryButtonStyles.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';

/** A check that gave no report: why, what became of what it wrote, and the way back to its settings. */
@customElement('stowage-check-failure')
export class CheckFailureView extends LitElement {
  static override styles = [
    baseStyles,
    primaryButtonStyles,
    css`
      section {
        max-width: 72ch;
        padding: 12px 0 24px;
      }
      h2 {
        display: flex;
        align-items: center;
        gap: 8px;
        font-size: var(--stowage-headline);
      }
      .error {
        color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
      }
      p {
        margin: 10px 0;
      }
    `,
  ];

  @property({ attribute: false }) failure!: CheckFailure;

  override render(): TemplateResult {
    const { code, detail } = this.failure;
    const isCancelled = code === 'cancelled';
    const removed = afterwards(code);
    return html`<section role="alert">
      <h2>
        ${
          isCancelled
            ? html`<vscode-icon name="circle-slash" size="20"></vscode-icon>Cancelled`
            : html`<vscode-icon class="error" name="error" size="20"></vscode-icon>There is no result`
        }
      </h2>
      <p class="wrap"><bdi>${visibleText(checkErrorInWords(code, detail))}</bdi></p>
      ${removed === '' ? nothing : html`<p>${removed}</p>`}
      <button class="primary" @click=${() => emitBandwidthEvent(this, 'check-action', 'again')}>Back to the settings</button>
    </section>`;
  }
}

/** What became of what was written; said already where the check was cancelled. */
function afterwards(code: CheckErrorCode): string {
  if (code === 'cancelled') return '';
  if (code === 'not-removed') return 'What is left is listed with the settings. Nothing that the check did not make was touched.';
  return 'Everything that the check had written was removed.';
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-failure': CheckFailureView;
  }
}
