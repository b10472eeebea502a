/**
 * Text of a file made fit for a page, a terminal or Markdown: control characters and those that turn the direction of writing would
 * change what a reader sees, or what a terminal does. They are shown as escapes.
 */
export function visibleText(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Text for a table cell of Markdown: neither markup nor a new cell. */
export function markdownText(text: string): string {
  return visibleText(text).replace(/[\\`*_{}[\]<>()#+!|~&$-]/g, (character) => `\\${character}`);
}

/** Text in a Markdown code span, whatever backticks it holds. */
export function markdownCode(text: string): string {
  const visible = visibleText(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${visible}\`` : `${fence} ${visible} ${fence}`;
}
