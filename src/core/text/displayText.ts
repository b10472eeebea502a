import { visibleText } from './visibleText.js';

/** Text for a table cell of Markdown: neither markup nor a new cell. */
export function markdownText(text: string): string {
  return visibleText(text).replace(/[\\`*_{}[\]<>()#+!|~&$-]/g, (character) => `\\${character}`);
}

/**
 * Text in a Markdown code span, whatever backticks it holds. In a table a bar ends the cell but for one with a backslash before it, and
 * two backslashes are none: a bar that follows a backslash is shown as an escape of its own.
 */
export function markdownCode(text: string): string {
  const visible = visibleText(text).replaceAll('\\|', '\\\\u007c').replaceAll('|', '\\|');
  const longest = [...visible.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 0);
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${visible}\`` : `${fence} ${visible} ${fence}`;
}
