import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Derivation, Statement, StatementKind } from '../../src/core/pages/statement.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { emitDisclosure } from '../shared/disclosure.js';

/** Said to who does not see how a number looks. */
const kindTitles: Readonly<Record<StatementKind, string>> = {
  measured: 'Measured',
  read: 'Read from a config',
  derived: 'Computed from the inputs',
  assumed: 'Depends on a default (not set)',
};

/** A sentence that begins with its number, and what is behind the number one click away. */
@customElement('stowage-plan-statement')
export class StatementView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        margin-bottom: 10px;
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
      .sentence {
        font-size: var(--stowage-body);
        text-wrap: pretty;
      }
      .amount {
        font-weight: 600;
      }
      .lead .sentence {
        font-size: var(--stowage-large);
      }
      .lead .amount {
        font-size: var(--stowage-headline);
        letter-spacing: -0.2px;
      }
      .detail {
        margin-top: 2px;
        font-size: var(--stowage-small);
        text-wrap: pretty;
      }
      .source {
        margin-top: 6px;
        padding: 8px 12px;
        border-left: 2px solid var(--vscode-focusBorder);
        background: var(--stowage-raised);
      }
      .source p {
        margin: 2px 0;
      }
    `,
  ];

  @property({ attribute: false }) statement!: Statement;
  /** Of its derivation, for the state of the page. */
  @property({ attribute: false }) disclosure = '';
  @property({ attribute: false }) isOpen = false;
  /** The answer of a section. */
  @property({ attribute: false }) isLead = false;

  override render(): TemplateResult {
    const { amount, text, detail, kind, derivation } = this.statement;
    return html`<div class=${this.isLead ? 'lead' : ''}>
      <p class="sentence">
        <span class="amount num ${kind}" title=${kindTitles[kind]}>${visibleText(amount)}</span> ${keepUnits(visibleText(text))}
      </p>
      <p class="detail muted">
        ${keepUnits(visibleText(detail))}
        ${
          derivation === null
            ? nothing
            : html`<button class="link" aria-expanded=${this.isOpen} aria-controls="source" @click=${this.toggle}>
                formula<span class="visually-hidden"> of ${visibleText(amount)}</span>
              </button>`
        }
      </p>
      ${derivation === null ? nothing : this.renderDerivation(derivation)}
    </div>`;
  }

  private renderDerivation({ formula, steps, source }: Derivation): TemplateResult {
    return html`<div id="source" class="source small" ?hidden=${!this.isOpen} @keydown=${this.onKey}>
      <p class="num">${visibleText(formula)}</p>
      ${steps.map((step) => html`<p class="num">${visibleText(step)}</p>`)}
      <p class="muted">${visibleText(source)}</p>
    </div>`;
  }

  private readonly toggle = (): void => emitDisclosure(this, { id: this.disclosure, isOpen: !this.isOpen });

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.toggle();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-statement': StatementView;
  }
}
