import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { baseStyles } from '../shared/baseStyles.js';
import './componentsTable.js';
import './storedTwice.js';

/** The first tab: every byte by component, and what is stored more than once. */
@customElement('stowage-components-view')
export class ComponentsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      stowage-stored-twice {
        margin-top: 20px;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;

  override render(): TemplateResult {
    const { report } = this;
    if (report.totalBytes === 0) return html`<p class="muted">There are no bytes to account for.</p>`;
    return html`<stowage-components-table .report=${report}></stowage-components-table>
      ${report.storedTwice.items.length === 0 ? nothing : html`<stowage-stored-twice .report=${report}></stowage-stored-twice>`}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-components-view': ComponentsView;
  }
}
