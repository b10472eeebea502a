import { html, type TemplateResult } from 'lit';
import { visibleText } from '../../src/core/text/visibleText.js';

/** Text from a file, isolated so that its writing direction cannot reorder what stands beside it. */
export function fileText(text: string): TemplateResult {
  return html`<bdi>${visibleText(text)}</bdi>`;
}
