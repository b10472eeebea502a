/**
 * Characters that hide, reorder or break the text around them, but for line feeds: C0 and C1 controls, bidirectional marks and overrides,
 * zero-width and invisible formatting characters, line and paragraph separators, tag characters, and halves of surrogate pairs.
 */
const deceptiveInLine =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const deceptive = new RegExp(`\\n|${deceptiveInLine.source}`, 'gu');

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from a file as it may be shown: what could hide or reorder other text becomes a visible escape such as `\u202e`. Every name, path
 * and value that comes from a file passes through here before it is bound into a template.
 */
export function visibleText(text: string): string {
  return text.replace(deceptive, (character) => shortEscapes[character] ?? escapeOf(character));
}

/** The text with another one in place of each character that could hide, reorder or break what is around it; line feeds stay. */
export function replaceDeceptiveInLines(text: string, replacement: (character: string) => string): string {
  return text.replace(deceptiveInLine, replacement);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
