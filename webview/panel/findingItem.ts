import { html, nothing, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { Severity } from '../../src/core/findings/defineFinding.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { fileText } from '../shared/fileText.js';
import { severityIcons } from './severityIcons.js';

/** Where a finding is, and how to get there. */
export interface FindingPlace {
  title: string;
  text: TemplateResult;
  open(): void;
}

/** A finding of a list: what, where, what it means, what to do. Needs `findingsViewStyles` and `severityStyles`. */
export function findingItem(
  {
    severity,
    message,
    effect = '',
    advice,
    code,
  }: { severity: Severity; message: string; effect?: string; advice: string; code: string },
  place: FindingPlace | null,
): TemplateResult {
  return html`<li class="finding">
    <vscode-icon class=${severity} name=${severityIcons[severity]} size="16"></vscode-icon>
    <div class="body">
      <h3><span class="visually-hidden">${severity}: </span>${fileText(message)}</h3>
      ${
        place === null
          ? nothing
          : html`<p>
              <button class="link mono wrap" title=${place.title} @click=${() => place.open()}>${place.text}</button>
            </p>`
      }
      ${effect === '' ? nothing : html`<p>${fileText(effect)}</p>`}
      ${advice === '' ? nothing : html`<p class="muted">${fileText(advice)}</p>`}
      <p class="code muted mono">${visibleText(code)}</p>
    </div>
  </li>`;
}
