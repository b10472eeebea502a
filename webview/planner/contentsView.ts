import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { PlanSection, SectionId } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { emitPlannerEvent } from './plannerEvents.js';

/** What the plan answers, as a way to each answer: one row that stays in sight and marks the answer that is read. */
@customElement('stowage-plan-contents')
export class ContentsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        position: sticky;
        top: 0;
        z-index: 2;
        background: var(--vscode-editor-background);
        border-bottom: 1px solid var(--stowage-line);
      }
      nav {
        display: flex;
        gap: 2px;
        overflow-x: auto;
        scrollbar-width: none;
        /* Says that the row goes on; the padding keeps the last link clear of it. */
        padding-right: 28px;
        mask-image: linear-gradient(to left, transparent, black 28px);
      }
      button {
        flex: none;
        padding: 9px 8px 7px;
        border-bottom: 2px solid transparent;
        color: var(--stowage-muted);
      }
      button:hover {
        color: var(--vscode-foreground);
      }
      button:focus-visible {
        outline-offset: -2px;
      }
      [aria-current='true'] {
        color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
        border-bottom-color: var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder));
      }
      /* Transparent borders are drawn there as well. */
      @media (forced-colors: active) {
        button {
          border-bottom-color: Canvas;
        }
        [aria-current='true'] {
          border-bottom-color: Highlight;
        }
      }
    `,
  ];

  @property({ attribute: false }) sections: readonly PlanSection[] = [];
  /** The section at the top of what is in view; null above the first. */
  @property({ attribute: false }) current: SectionId | null = null;

  override render(): TemplateResult {
    return html`<nav aria-label="Answers">
      ${this.sections.map(
        ({ id, title }) =>
          html`<button
            class="small"
            aria-current=${id === this.current ? 'true' : nothing}
            @click=${() => emitPlannerEvent(this, 'plan-go', id)}
          >
            ${visibleText(title)}
          </button>`,
      )}
    </nav>`;
  }

  /** Moves the row alone: scrolling the link into view would move the page as well. */
  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('current')) return;
    const marked = this.renderRoot.querySelector<HTMLElement>('[aria-current]');
    const row = marked?.parentElement;
    if (marked === null || row == null) return;
    row.scrollLeft = marked.offsetLeft - (row.clientWidth - marked.offsetWidth) / 2;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-contents': ContentsView;
  }
}
