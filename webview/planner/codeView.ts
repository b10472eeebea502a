/** Lines to paste, with the button that copies them. */
import { css, html, type CSSResult, type TemplateResult } from 'lit';
import type { CodeLines } from '../../src/core/pages/plan/planSection.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPlannerEvent } from './plannerEvents.js';

/** @param what the lines are of, for the name of the button and what is said once they are copied */
export function renderCode(source: HTMLElement, { text }: CodeLines, what: string): TemplateResult {
  return html`<div class="code">
    <pre tabindex="0" role="region" aria-label=${visibleText(what)}>
${text.split('\n').map((line, index) => [index === 0 ? '' : '\n', renderLine(line)])}</pre>
    <button class="link" @click=${() => emitPlannerEvent(source, 'plan-copy', { text, what })}>
      Copy<span class="visually-hidden">: ${visibleText(what)}</span>
    </button>
  </div>`;
}

/** Its words each in one piece: a line that is too long breaks between them, not at the hyphens of a flag. */
function renderLine(line: string): unknown[] {
  const [, indent = '', rest = ''] = /^( *)(.*)$/s.exec(visibleText(line)) ?? [];
  return [indent, ...rest.split(' ').map((word, index) => html`${index === 0 ? '' : ' '}<span>${word}</span>`)];
}

export const codeStyles: CSSResult = css`
  .code {
    display: flex;
    align-items: start;
    gap: 8px;
    margin: 6px 0;
    padding: 8px 10px;
    background: var(--vscode-textCodeBlock-background);
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-radius: 3px;
  }
  .code pre span {
    display: inline-block;
    max-width: 100%;
  }
  .code pre {
    flex: 1;
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: var(--stowage-small);
  }
`;
