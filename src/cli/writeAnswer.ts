import type { Answer } from '../app/answer.js';
import { writeOut, writePieces } from './writeOut.js';

interface Forms {
  json?: boolean;
  markdown?: boolean;
  'no-color'?: boolean;
}

/** Prints an answer in the form that the flags choose. */
export async function writeAnswer(
  answer: Pick<Answer, 'json' | 'terminal'> & Partial<Answer>,
  forms: Forms,
  usualWidth = 100,
): Promise<void> {
  if (forms.json === true) return writePieces(answer.jsonPieces?.() ?? [answer.json()]);
  if (forms.markdown === true && answer.markdown !== undefined) return writeOut(answer.markdown());
  const color = forms['no-color'] !== true && process.env['NO_COLOR'] === undefined && process.stdout.isTTY;
  return writeOut(answer.terminal({ width: process.stdout.columns || usualWidth, color }));
}
