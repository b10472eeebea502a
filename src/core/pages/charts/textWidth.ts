/** How wide a text will be. There is no font to ask, as charts are also drawn where nothing is shown. */

/** Height of the letters of a chart, in pixels. */
export const chartFontSize = 12;

/** Pixels of a line of a chart's text: a little more than fonts of user interfaces take, so that what fits by it does fit. */
export function textWidth(text: string, isBold = false): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character);
  return ems * chartFontSize * (isBold ? 1.08 : 1);
}

const narrow = new Set("iljtfrI.,:;|!'()[] ");
const wide = new Set('mwMWGOQ%@÷×→');

function emsOf(character: string): number {
  if (narrow.has(character)) return 0.36;
  if (wide.has(character)) return 0.92;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x2e80) return 1.05;
  return code >= 65 && code <= 90 ? 0.72 : 0.6;
}
