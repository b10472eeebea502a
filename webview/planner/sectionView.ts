import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PlanSection } from '../../src/core/pages/plan/planSection.js';
import type { PageChart } from '../../src/core/pages/chart.js';
import type { PageTable } from '../../src/core/pages/table.js';
import type { Statement } from '../../src/core/pages/statement.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import '../shared/chartView.js';
import { emitDisclosure } from '../shared/disclosure.js';
import '../shared/tableView.js';
import { codeStyles, renderCode } from './codeView.js';
import './statementView.js';

/** How long an answer out of view may be that of an earlier key, in milliseconds. */
const outOfViewMs = 150;

/** One answer: the sentence and a picture of it; what else there is to say, its tables and notes are a click away. */
@customElement('stowage-plan-section')
export class SectionView extends LitElement {
  static override styles = [
    baseStyles,
    codeStyles,
    css`
      :host {
        padding: 16px 0 8px;
        border-top: 1px solid var(--stowage-line);
        contain-intrinsic-height: auto 480px;
      }
      /* What is not in view is not laid out and drawn anew for each key; it stays as high as it was when it was drawn. */
      :host([drawn]) {
        content-visibility: auto;
      }
      h2 {
        margin-bottom: 6px;
        /* Below the row of links, which stays. */
        scroll-margin-top: 52px;
        outline-offset: 4px;
        font-size: var(--stowage-body);
        color: var(--stowage-muted);
      }
      .notes {
        margin-bottom: 8px;
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

  /** Whether it is on the screen or close to it. */
  private isNear = true;
  /** Ends the wait of an update that is not needed yet. */
  private updateNow: () => void = () => undefined;
  private readonly observer = new IntersectionObserver(
    (entries) => {
      this.isNear = entries.at(-1)?.isIntersecting ?? true;
      if (this.isNear) this.updateNow();
    },
    { rootMargin: '50% 0px' },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  /** What is out of view is drawn for several keys at once, or when it comes into view. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && !this.isNear)
      await new Promise<void>((resolve) => {
        this.updateNow = resolve;
        setTimeout(resolve, outOfViewMs);
      });
    await super.scheduleUpdate();
  }

  protected override firstUpdated(): void {
    // A frame in which charts get their width, and one in which they are drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => this.toggleAttribute('drawn', true)));
  }

  override render(): TemplateResult {
    const { id, title, lead } = this.section;
    const { shown, folded } = divide(this.section);
    const disclosure = `section:${id}`;
    const isOpen = this.opened[disclosure] === true;
    return html`<section aria-labelledby="title">
      <h2 id="title" tabindex="-1">${visibleText(title)}</h2>
      ${this.renderStatement(lead, 0)} ${this.renderCode()} ${this.renderParts(shown)}
      ${isOpen ? this.renderParts(folded) : nothing}
      ${
        isEmpty(folded)
          ? nothing
          : html`<button
              class="link"
              title=${countOfParts(folded)}
              aria-expanded=${isOpen}
              @click=${() => emitDisclosure(this, { id: disclosure, isOpen: !isOpen })}
            >
              ${isOpen ? 'Hide details' : 'Show details'}<span class="visually-hidden"> on: ${visibleText(title)}</span>
            </button>`
      }
    </section>`;
  }

  /** Shows the section's heading, and puts the focus on it. */
  reveal(): void {
    const heading = this.renderRoot.querySelector('h2');
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  }

  private renderCode(): TemplateResult | typeof nothing {
    const { code, title } = this.section;
    return code === undefined ? nothing : renderCode(this, code, title);
  }

  private renderParts({ charts, statements, tables, notes }: SectionParts): TemplateResult {
    return html`${repeat(
      charts,
      ({ id }) => id,
      (chart) =>
        html`<stowage-chart
          .chart=${chart}
          .disclosure=${`table:${chart.id}`}
          .isOpen=${this.opened[`table:${chart.id}`] === true}
        ></stowage-chart>`,
    )}
    ${statements.map((statement, index) => this.renderStatement(statement, index + 1))}
    ${repeat(
      tables,
      ({ id }) => id,
      (table) =>
        html`<stowage-table
          .table=${table}
          .disclosure=${`rows:${table.id}`}
          .isOpen=${this.opened[`rows:${table.id}`] === true}
        ></stowage-table>`,
    )}
    ${
      notes.length === 0
        ? nothing
        : html`<ul class="notes muted">
            ${notes.map((note) => html`<li>${keepUnits(visibleText(note))}</li>`)}
          </ul>`
    }`;
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

interface SectionParts {
  charts: readonly PageChart[];
  statements: readonly Statement[];
  tables: readonly PageTable[];
  notes: readonly string[];
}

/** One picture of the answer, or one table where there is none, stands below it; the rest is a click away. */
function divide({ charts, more, tables, notes }: PlanSection): { shown: SectionParts; folded: SectionParts } {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const firstTables = charts.length > 0 ? 0 : 1;
  return {
    shown: { charts: charts.slice(0, 1), statements: [], tables: filled.slice(0, firstTables), notes: [] },
    folded: { charts: charts.slice(1), statements: more, tables: filled.slice(firstTables), notes },
  };
}

function isEmpty({ charts, statements, tables, notes }: SectionParts): boolean {
  return charts.length + statements.length + tables.length + notes.length === 0;
}

/** `2 numbers, 1 table, 4 notes`. */
function countOfParts({ charts, statements, tables, notes }: SectionParts): string {
  const counts: [number, string][] = [
    [statements.length, 'number'],
    [charts.length, 'chart'],
    [tables.length, 'table'],
    [notes.length, 'note'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => counted(count, what))
    .join(', ');
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-section': SectionView;
  }
}
