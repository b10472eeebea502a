import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { PlanPage, PlanRisk } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { renderRisk } from './risksView.js';

/** What to do, in sentences: what makes the plan impossible first, then the recommendation. */
@customElement('stowage-plan-advice')
export class AdviceView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
      .recommendation {
        margin-top: 8px;
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
    const { impossible, recommendation } = this.page;
    return html`${impossible.length === 0 ? nothing : this.renderImpossible(impossible)}
    ${recommendation.length === 0 ? nothing : html`<p class="recommendation">${recommendation.map(visibleText).join(' ')}</p>`}`;
  }

  private renderImpossible(impossible: readonly PlanRisk[]): TemplateResult {
    return html`<section class="impossible" aria-labelledby="impossible">
      <h2 id="impossible"><vscode-icon class="error" name="error" size="16"></vscode-icon>This plan is impossible</h2>
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
