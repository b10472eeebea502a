import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { PlanTable } from '../../src/core/report/plan/planSection.js';
import { visibleText } from '../../src/core/report/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';

/** Characters from which on a cell wraps, and its column must not become a thread. */
const longCell = 24;

/** A table of a plan. Where it is wider than the page it scrolls by itself, by keys too. */
@customElement('stowage-plan-table')
export class TableView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        margin: 6px 0 12px;
      }
      /* As wide as its words: a number must not stand far from its name. */
      table {
        width: auto;
        min-width: min(100%, 380px);
      }
      th:not(:last-child),
      td:not(:last-child) {
        padding-right: 22px;
      }
      caption {
        text-align: left;
        padding: 2px;
        font-weight: 600;
      }
      tbody th {
        color: inherit;
        white-space: normal;
        padding: 6px 10px 6px 2px;
        vertical-align: top;
      }
      td {
        min-width: 7ch;
      }
      .long {
        min-width: 26ch;
      }
      th.end,
      td.end {
        white-space: nowrap;
      }
      .note {
        margin-top: 4px;
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) table!: PlanTable;
  @state() private isWide = false;
  @query('.scroll-x') private frame!: HTMLElement | null;
  private readonly sizes = new ResizeObserver(() => this.measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
  }

  protected override updated(): void {
    this.measure();
  }

  override render(): TemplateResult {
    const { caption, columns, rows, note } = this.table;
    return html`<div
        class="scroll-x"
        tabindex=${this.isWide ? '0' : nothing}
        role=${this.isWide ? 'group' : nothing}
        aria-label=${this.isWide ? visibleText(caption) : nothing}
      >
        <table>
          <caption>
            ${visibleText(caption)}
          </caption>
          <thead>
            <tr>
              ${columns.map(({ label, isNumber }) => html`<th scope="col" class=${isNumber ? 'end' : ''}>${visibleText(label)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => this.renderRow(row))}
          </tbody>
        </table>
      </div>
      ${note === '' ? nothing : html`<p class="note muted small">${visibleText(note)}</p>`}`;
  }

  private renderRow(row: readonly string[]): TemplateResult {
    const { columns } = this.table;
    return html`<tr>
      ${row.map((cell, index) => {
        const text = html`<bdi>${visibleText(cell)}</bdi>`;
        const look = columns[index]?.isNumber === true ? 'end num' : cell.length > longCell ? 'long' : '';
        return index === 0 ? html`<th scope="row" class=${look}>${text}</th>` : html`<td class=${look}>${text}</td>`;
      })}
    </tr>`;
  }

  private measure(): void {
    const { frame } = this;
    if (frame !== null) this.isWide = frame.scrollWidth > frame.clientWidth;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-table': TableView;
  }
}
