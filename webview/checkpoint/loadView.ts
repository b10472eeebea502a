import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { LoadReport } from '../../src/core/checkpoints/loadReport.js';
import { loadPage } from '../../src/core/pages/checkpoint/loadPage.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/tableView.js';

/** Whether the checkpoint loads: what differs, what was compared, the memory that it takes, and what converts it. */
@customElement('stowage-load-view')
export class LoadView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .decision {
        font-weight: 600;
        margin: 12px 0 2px;
      }
      .why {
        margin: 0 0 8px;
        max-width: 90ch;
      }
    `,
  ];

  @property({ attribute: false }) load!: LoadReport;

  override render(): TemplateResult {
    const { decision, why, tables } = loadPage(this.load);
    return html`<p class="decision"><bdi>${decision}</bdi></p>
      <p class="why"><bdi>${why}</bdi></p>
      ${tables.length === 0 ? nothing : tables.map((table) => html`<stowage-table .table=${table}></stowage-table>`)}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-load-view': LoadView;
  }
}
