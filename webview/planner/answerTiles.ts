import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { PlanSection, SectionId } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { cardWith } from '../shared/card.js';
import { cardStyles } from '../shared/cardStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { emitPlannerEvent } from './plannerEvents.js';

/** What most people open a plan for: how often, how fast, how much room, what is lost. */
const asked: readonly SectionId[] = ['interval', 'bandwidth', 'tiers', 'sensitivity'];

/** The plan's first answers, each leading to its section. */
@customElement('stowage-plan-tiles')
export class AnswerTiles extends LitElement {
  static override styles = [
    baseStyles,
    cardStyles,
    css`
      :host {
        margin: 10px 0;
      }
    `,
  ];

  @property({ attribute: false }) sections: readonly PlanSection[] = [];

  override render(): TemplateResult {
    const shown = this.sections.filter(({ id }) => asked.includes(id));
    return html`<div class="cards">${shown.map((section) => this.renderTile(section))}</div>`;
  }

  private renderTile({ id, title, lead }: PlanSection): TemplateResult {
    const heading = html`<button
      class="link"
      title="Show how it comes about"
      @click=${() => emitPlannerEvent(this, 'plan-go', id)}
    >
      ${visibleText(title)}
    </button>`;
    const amount = html`<p class="big num">
      <span class=${lead.kind === 'assumed' ? 'assumed' : ''}>${visibleText(lead.amount)}</span>
    </p>`;
    return cardWith(heading, amount, visibleText(lead.text));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-tiles': AnswerTiles;
  }
}
