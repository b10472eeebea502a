import { html, type TemplateResult } from 'lit';
import { visibleText } from '../../src/core/text/visibleText.js';

/** Text from a file, isolated so that its writing direction cannot reorder what stands beside it. */
export function fileText(text: string): TemplateResult {
  return html`<bdi>${visibleText(text)}</bdi>`;
}

/** Characters of a text that a table and its title hold. */
const longestShown = 2_000;

/** The same in four lines at most, for tables: a name from a file may have megabytes. */
export function clampedText(text: string): TemplateResult {
  const visible = visibleText(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
  return html`<span class="clamp" title=${visible}><bdi>${visible}</bdi></span>`;
}
