/** What the inputs of all panels have around them: a unit where they have one, and below them what is wrong with what was typed. */
import { html, nothing, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';

/** The unit behind an input; nothing for a plain number. */
export function renderUnit(unit: string): TemplateResult | typeof nothing {
  return unit === '' ? nothing : html`<span id="unit" class="unit">${unit}</span>`;
}

/** The problem of what was typed, with its icon: colour alone would not be seen by all. */
export function renderProblem(problem: string | null): TemplateResult | typeof nothing {
  if (problem === null) return nothing;
  return html`<p class="problem"><vscode-icon name="error" size="14"></vscode-icon><span id="problem">${problem}</span></p>`;
}

/** Ids of what describes an input to a screen reader. */
export function describedBy(unit: string, problem: string | null): string {
  return ['hint', ...(unit === '' ? [] : ['unit']), ...(problem === null ? [] : ['problem'])].join(' ');
}
