import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { LoadReport } from '../../src/core/checkpoints/loadReport.js';
import { loadPage } from '../../src/core/pages/checkpoint/loadPage.js';
import { baseStyles } from '../shared/baseStyles.js';
import { onDisclosure } from '../shared/disclosure.js';
import '../shared/tableView.js';

/** Rows of a table of tensors; further ones are counted below it. */
const mostRows = 200;

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
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) load!: LoadReport;
  /** Tables of which all rows are shown. */
  @state() private opened: ReadonlySet<string> = new Set();

  constructor() {
    super();
    onDisclosure(this, ({ id, isOpen }) => {
      const opened = new Set(this.opened);
      if (isOpen) opened.add(id);
      else opened.delete(id);
      this.opened = opened;
    });
  }

  override render(): TemplateResult {
    const { decision, why, tables } = loadPage(this.load, mostRows);
    return html`<p class="decision"><bdi>${decision}</bdi></p>
      <p class="why"><bdi>${why}</bdi></p>
      ${tables.map(
        (table) =>
          html`<stowage-table .table=${table} .disclosure=${table.id} .isOpen=${this.opened.has(table.id)}></stowage-table>`,
      )}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-load-view': LoadView;
  }
}
