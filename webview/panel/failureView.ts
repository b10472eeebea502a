import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { InspectionFailure } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { isRemoteAddress } from '../../src/core/files/remote/remoteScheme.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent } from './panelEvents.js';

const advice: Record<string, string> = {
  cancelled: 'Nothing was changed. Inspect again to start over.',
  io: 'Check that the path exists, that it is mounted on this machine, and that you may read it.',
  'out-of-memory': 'Give it twice as much if this machine has it, or inspect a part: a directory or a file of it.',
  'not-this-format': 'Open the directory that holds the checkpoint, or one of its weight files.',
};

/** An inspection that gave no report, in words: what happened, where, and what to do. */
@customElement('stowage-failure-view')
export class FailureView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      section {
        max-width: 72ch;
        padding: 24px 0;
      }
      h1 {
        display: flex;
        align-items: center;
        gap: 8px;
        font-size: var(--stowage-headline);
        font-weight: 600;
      }
      .error {
        color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
      }
      p {
        margin: 10px 0;
      }
      vscode-button {
        margin-top: 6px;
      }
    `,
  ];

  @property({ attribute: false }) failure!: InspectionFailure;

  override render(): TemplateResult {
    const { code, message, path } = this.failure;
    const cancelled = code === 'cancelled';
    // A store says itself what helps.
    const next = code === 'io' && isRemoteAddress(path) ? '' : (advice[code] ?? '');
    return html`<section role="alert">
      <h1>
        ${
          cancelled
            ? html`<vscode-icon name="circle-slash" size="20"></vscode-icon>The inspection was cancelled`
            : html`<vscode-icon class="error" name="error" size="20"></vscode-icon>There is no report`
        }
      </h1>
      ${cancelled ? nothing : html`<p class="wrap">${fileText(message)}</p>`}
      <p class="mono wrap">${fileText(path)}</p>
      ${next === '' ? nothing : html`<p>${next}</p>`}
      ${cancelled ? nothing : html`<p class="muted small">Code: ${visibleText(code)}</p>`}
      ${
        code === 'out-of-memory'
          ? html`<vscode-button @click=${() => emitPanelEvent(this, 'panel-refresh', { moreMemory: true })}
              >Inspect with twice the memory</vscode-button
            >`
          : html`<vscode-button @click=${() => emitPanelEvent(this, 'panel-refresh', null)}>Inspect again</vscode-button>`
      }
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-failure-view': FailureView;
  }
}
