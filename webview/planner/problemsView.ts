import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { isPlanKey, type InputProblem } from '../../src/core/planning/inputs/planInputs.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';

/** More would hide the plan. */
const mostShown = 20;

/** What of the plan's file could not be used. The rest of it stands. */
@customElement('stowage-plan-problems')
export class ProblemsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      section {
        max-width: 92ch;
        margin: 10px 0;
        padding: 8px 14px;
        border: 1px solid var(--vscode-inputValidation-warningBorder, var(--vscode-editorWarning-foreground, var(--stowage-line)));
        border-radius: var(--stowage-radius);
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) problems: readonly InputProblem[] = [];

  override render(): TemplateResult {
    const left = this.problems.length - mostShown;
    return html`<section aria-label="Problems of the file">
      <h2>Not everything in the file could be used; standards stand in for it</h2>
      <ul>
        ${this.problems
          .slice(0, mostShown)
          .map(
            ({ key, text }) =>
              html`<li>
                <span class="mono">${fileText(key)}</span>${isPlanKey(key) ? ` (${planFields[key].label})` : ''} ${text}
              </li>`,
          )}
        ${left > 0 ? html`<li>and ${left} more</li>` : ''}
      </ul>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-problems': ProblemsView;
  }
}
