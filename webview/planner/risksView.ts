import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { PlanRisk } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { baseStyles } from '../shared/baseStyles.js';

/** What is most worth removing, the worst first. */
@customElement('stowage-plan-risks')
export class RisksView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        max-width: 92ch;
        padding-bottom: 14px;
        overflow-wrap: anywhere;
      }
      h2 {
        margin-bottom: 2px;
        font-size: var(--stowage-body);
        color: var(--stowage-muted);
      }
      ol {
        list-style: decimal;
        padding-left: 1.6em;
      }
      li {
        margin: 4px 0;
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) risks: readonly PlanRisk[] = [];

  override render(): TemplateResult {
    return html`<section aria-labelledby="risks">
      <h2 id="risks">Risks most worth removing</h2>
      <ol>
        ${this.risks.map(renderRisk)}
      </ol>
    </section>`;
  }
}

/** What it is, why, and what to do. */
export function renderRisk({ title, text, advice }: PlanRisk): TemplateResult {
  return html`<li><strong>${visibleText(title)}.</strong> ${keepUnits(visibleText(`${text} ${advice}`))}</li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-risks': RisksView;
  }
}
