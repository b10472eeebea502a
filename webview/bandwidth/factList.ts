import { css, html, type CSSResult, type TemplateResult } from 'lit';
import { visibleText } from '../../src/core/text/visibleText.js';

/** Labels and values, a line each. */
export function renderFacts(facts: readonly { label: string; value: string }[]): TemplateResult {
  return html`<dl>
    ${facts.map(
      ({ label, value }) =>
        html`<div>
          <dt>${visibleText(label)}</dt>
          <dd class="num wrap"><bdi>${visibleText(value)}</bdi></dd>
        </div>`,
    )}
  </dl>`;
}

export const factListStyles: CSSResult = css`
  dl > div {
    display: grid;
    grid-template-columns: minmax(8ch, 15ch) minmax(0, 1fr);
    gap: 2px 16px;
    padding: 4px 0;
    border-bottom: 1px solid var(--stowage-line);
  }
  dt {
    color: var(--stowage-muted);
  }
`;
