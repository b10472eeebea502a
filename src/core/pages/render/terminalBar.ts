/** Bars of shares in a terminal: parts differ in colour and in character. */
import { RESET } from './terminalText.js';

const colors = [34, 35, 33, 93, 36, 32, 95, 94, 90];
const characters = ['█', '▓', '▒', '░', '█', '▓', '▒', '░'];

/** One bar of parts whose shares sum to 1, as wide as there is room for. */
export function drawBar(shares: readonly number[], { width, color }: { width: number; color: boolean }): string {
  const cells = Math.max(20, Math.min(width, 100));
  let text = '';
  let drawn = 0;
  let sum = 0;
  shares.forEach((share, index) => {
    sum += share;
    const length = Math.round(sum * cells) - drawn;
    drawn += length;
    text += inColor((characters[index % characters.length] ?? '█').repeat(Math.max(0, length)), index, color);
  });
  return text;
}

/** The mark of a part beside its label. */
export function swatchOf(index: number, color: boolean): string {
  return inColor(characters[index % characters.length] ?? '█', index, color);
}

function inColor(text: string, index: number, color: boolean): string {
  return color ? `\u001b[${colors[index % colors.length]}m${text}${RESET}` : text;
}
