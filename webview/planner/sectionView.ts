import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PlanSection, Statement } from '../../src/core/report/plan/planSection.js';
import { visibleText } from '../../src/core/report/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import './chartView.js';
import './statementView.js';
import './tableView.js';

/** One answer: the sentence, the pictures of it, what else there is to say, its tables and notes. */
@customElement('stowage-plan-section')
export class SectionView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        padding: 16px 0 8px;
        border-top: 1px solid var(--stowage-line);
      }
      h2 {
        margin-bottom: 6px;
        font-size: 1em;
        color: var(--stowage-muted);
      }
      .notes li {
        position: relative;
        max-width: 92ch;
        margin: 4px 0;
        padding-left: 14px;
        font-size: var(--stowage-small);
        overflow-wrap: anywhere;
        text-wrap: pretty;
      }
      .notes li::before {
        content: '·';
        position: absolute;
        left: 4px;
      }
    `,
  ];

  @property({ attribute: false }) section!: PlanSection;
  /** What was opened or closed by hand. */
  @property({ attribute: false }) opened: Readonly<Record<string, boolean>> = {};

  override render(): TemplateResult {
    const { title, lead, more, charts, tables, notes } = this.section;
    return html`<section aria-labelledby="title">
      <h2 id="title">${visibleText(title)}</h2>
      ${this.renderStatement(lead, 0)}
      ${repeat(
        charts,
        ({ id }) => id,
        (chart) =>
          html`<stowage-plan-chart
            .chart=${chart}
            .disclosure=${`table:${chart.id}`}
            .isOpen=${this.opened[`table:${chart.id}`] === true}
          ></stowage-plan-chart>`,
      )}
      ${more.map((statement, index) => this.renderStatement(statement, index + 1))}
      ${repeat(
        tables.filter(({ rows }) => rows.length > 0),
        ({ id }) => id,
        (table) =>
          html`<stowage-plan-table
            .table=${table}
            .disclosure=${`rows:${table.id}`}
            .isOpen=${this.opened[`rows:${table.id}`] === true}
          ></stowage-plan-table>`,
      )}
      ${
        notes.length === 0
          ? nothing
          : html`<ul class="notes muted">
              ${notes.map((note) => html`<li>${visibleText(note)}</li>`)}
            </ul>`
      }
    </section>`;
  }

  private renderStatement(statement: Statement, index: number): TemplateResult {
    const id = `formula:${this.section.id}:${index}`;
    return html`<stowage-plan-statement
      .statement=${statement}
      .disclosure=${id}
      .isOpen=${this.opened[id] === true}
      .isLead=${index === 0}
    ></stowage-plan-statement>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-section': SectionView;
  }
}
