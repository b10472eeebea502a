import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { PlanSection } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { emitPlannerEvent } from './plannerEvents.js';

/** What the plan answers, as a way to each answer. */
@customElement('stowage-plan-contents')
export class ContentsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        padding: 10px 0 12px;
      }
    `,
  ];

  @property({ attribute: false }) sections: readonly PlanSection[] = [];

  override render(): TemplateResult {
    return html`<nav aria-label="Answers">
      ${this.sections.map(
        ({ id, title }) =>
          html`<button class="link small" @click=${() => emitPlannerEvent(this, 'plan-go', id)}>${visibleText(title)}</button>`,
      )}
    </nav>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-contents': ContentsView;
  }
}
