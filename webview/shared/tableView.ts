import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { PageTable } from '../../src/core/pages/table.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from './baseStyles.js';
import { emitDisclosure } from './disclosure.js';
import { onResize } from './elementControllers.js';
import { measureTogether } from './measureTogether.js';

/** Characters from which on a cell wraps, and its column must not become a thread. */
const longCell = 24;

/** Rows of a longer table that stand there before the rest is asked for. */
const firstRows = 6;
const mostRows = 10;

/** A table of words and numbers. Where it is wider than the page it scrolls by itself, by keys too. */
@customElement('stowage-table')
export class TableView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        container-type: inline-size;
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
        min-width: 22ch;
      }
      td.end {
        white-space: nowrap;
      }
      /* Where there is no room for the table as it would be: words wrap, numbers stay whole. */
      .tight thead th {
        white-space: normal;
        vertical-align: bottom;
      }
      .tight th:not(:last-child),
      .tight td:not(:last-child) {
        padding-right: 6px;
      }
      .tight th,
      .tight td {
        min-width: 0;
        padding-left: 2px;
      }
      .tight .long {
        min-width: 9ch;
      }
      /* There is more to the right. */
      .cut {
        mask-image: linear-gradient(to left, transparent, black 28px);
      }
      .more {
        padding: 4px 2px;
      }
      .note {
        margin-top: 4px;
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false, hasChanged: isOtherTable }) table!: PageTable;
  /** Of its further rows, for the state of the page. */
  @property({ attribute: false }) disclosure = '';
  /** Shows all rows of a long table. */
  @property({ attribute: false }) isOpen = false;
  @state() private isWide = false;
  @state() private isTight = false;
  /** What the table takes where there is room, in pixels. */
  private looseWidthPx = 0;
  @state() private isCut = false;
  @query('.scroll-x') private frame!: HTMLElement | null;

  constructor() {
    super();
    onResize(this, () => measureTogether(this.read));
  }

  protected override updated(): void {
    measureTogether(this.read);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('table')) this.isTight = false;
  }

  override render(): TemplateResult {
    const { caption, columns, rows, note } = this.table;
    const isFolded = rows.length > mostRows && this.disclosure !== '';
    return html`<div
        class="scroll-x ${this.isTight ? 'tight' : ''} ${this.isCut ? 'cut' : ''}"
        @scroll=${() => measureTogether(this.read)}
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
            ${(isFolded && !this.isOpen ? rows.slice(0, firstRows) : rows).map((row) => this.renderRow(row))}
          </tbody>
        </table>
      </div>
      ${isFolded ? this.renderMore(rows.length) : nothing}
      ${note === '' ? nothing : html`<p class="note muted small">${visibleText(note)}</p>`}`;
  }

  private renderMore(count: number): TemplateResult {
    return html`<button
      class="more link small"
      aria-expanded=${this.isOpen}
      @click=${() => emitDisclosure(this, { id: this.disclosure, isOpen: !this.isOpen })}
    >
      ${this.isOpen ? 'fewer rows' : `all ${count} rows`}<span class="visually-hidden">
        of: ${visibleText(this.table.caption)}</span
      >
    </button>`;
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

  private readonly read = (): (() => void) => {
    const { frame } = this;
    if (frame === null) return () => undefined;
    const { scrollWidth, clientWidth, scrollLeft } = frame;
    return () => {
      if (!this.isTight) this.looseWidthPx = scrollWidth;
      this.isTight = this.looseWidthPx > clientWidth;
      this.isWide = scrollWidth > clientWidth;
      this.isCut = scrollLeft + clientWidth < scrollWidth - 1;
    };
  };
}

/** A plan makes its tables anew for every key; most of them stay what they were. */
function isOtherTable(table: PageTable, before: PageTable | undefined): boolean {
  return table !== before && JSON.stringify(table) !== JSON.stringify(before);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-table': TableView;
  }
}
