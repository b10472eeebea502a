import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { KeyNumber } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { cardStyles } from '../shared/cardStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { emitPlannerEvent } from './plannerEvents.js';

const titles: Readonly<Record<KeyNumber['id'], string>> = { goodput: 'Goodput', storage: 'Cost of bandwidth', room: 'Room' };

/** The three numbers of a plan, each leading to the section that has its reasons. */
@customElement('stowage-plan-tiles')
export class AnswerTiles extends LitElement {
  static override styles = [
    baseStyles,
    cardStyles,
    css`
      :host {
        margin: 10px 0;
      }
      /* Three cards: in one column or in three. */
      .cards {
        grid-template-columns: repeat(auto-fit, minmax(min(180px, 100%), 1fr));
      }
      @container (max-width: 559px) {
        .cards {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      .detail {
        text-wrap: pretty;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) numbers: readonly KeyNumber[] = [];

  override render(): TemplateResult {
    return html`<div class="cards">${this.numbers.map((number) => this.renderTile(number))}</div>`;
  }

  private renderTile({ id, section, amount, text, kind }: KeyNumber): TemplateResult {
    return html`<section class="card">
      <h2>
        <button class="link" title="Show how it comes about" @click=${() => emitPlannerEvent(this, 'plan-go', section)}>
          ${titles[id]}
        </button>
      </h2>
      <p class="big num"><span class=${kind === 'assumed' ? 'assumed' : ''}>${visibleText(amount)}</span></p>
      <p class="detail muted"><bdi>${keepUnits(visibleText(text))}</bdi></p>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-tiles': AnswerTiles;
  }
}
