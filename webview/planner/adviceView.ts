import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { PlanPage, PlanRisk } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { renderRisk } from './risksView.js';

/** The decision in a sentence, and what blocks the plan. */
@customElement('stowage-plan-advice')
export class AdviceView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
      .headline {
        display: block;
        margin-top: 10px;
        font-size: var(--stowage-large);
        font-weight: 600;
        color: inherit;
        text-wrap: pretty;
      }
      section {
        margin: 12px 0;
      }
      .impossible {
        padding: 10px 14px;
        border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-editorError-foreground, var(--stowage-line)));
        border-radius: var(--stowage-radius);
      }
      h2 {
        display: flex;
        align-items: center;
        gap: 6px;
        margin-bottom: 4px;
      }
      .error {
        color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
      }
      li {
        margin: 6px 0;
        text-wrap: pretty;
      }
    `,
  ];

  @property({ attribute: false }) page!: PlanPage;

  override render(): TemplateResult {
    const { impossible, headline } = this.page;
    return html`<h2 class="headline">${keepUnits(visibleText(headline))}</h2>
      ${impossible.length === 0 ? nothing : this.renderImpossible(impossible)}`;
  }

  private renderImpossible(impossible: readonly PlanRisk[]): TemplateResult {
    return html`<section class="impossible" aria-labelledby="impossible">
      <h2 id="impossible"><vscode-icon class="error" name="error" size="16"></vscode-icon>Blockers</h2>
      <ul>
        ${impossible.map(renderRisk)}
      </ul>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-advice': AdviceView;
  }
}
