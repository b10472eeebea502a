import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { PlanStep } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { codeStyles, renderCode } from './codeView.js';

/** What to do, the most important first: side by side where there is room. */
@customElement('stowage-plan-steps')
export class StepsView extends LitElement {
  static override styles = [
    baseStyles,
    codeStyles,
    css`
      :host {
        margin-top: 12px;
        overflow-wrap: anywhere;
      }
      h2 {
        margin-bottom: 6px;
        font-size: var(--stowage-body);
        color: var(--stowage-muted);
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(270px, 100%), 1fr));
        gap: 12px 28px;
        counter-reset: step;
      }
      li {
        min-width: 0;
        max-width: 92ch;
        counter-increment: step;
      }
      h3 {
        font-size: var(--stowage-body);
        font-weight: 600;
        text-wrap: pretty;
      }
      h3::before {
        content: counter(step) '. ';
      }
      p {
        margin-top: 2px;
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) steps: readonly PlanStep[] = [];

  override render(): TemplateResult {
    return html`<section aria-labelledby="steps">
      <h2 id="steps">What to do</h2>
      <ol>
        ${this.steps.map((step) => this.renderStep(step))}
      </ol>
    </section>`;
  }

  private renderStep({ title, text, code }: PlanStep): TemplateResult {
    return html`<li>
      <h3>${visibleText(title)}</h3>
      ${text === '' ? nothing : html`<p>${keepUnits(visibleText(text))}</p>`}
      ${code === undefined ? nothing : renderCode(this, code, title)}
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-steps': StepsView;
  }
}
