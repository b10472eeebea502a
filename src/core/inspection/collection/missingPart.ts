import { FormatError } from '../../bytes/formatError.js';
import { visibleText } from '../../text/visibleText.js';
import type { Part } from './part.js';
import { partNameOf } from './partName.js';

/** Names that are listed before the rest is counted. */
const MAX_NAMES = 10;

/** A part was asked for that is not among the files of the directory itself. */
export class MissingPartError extends FormatError {
  /** @param parts all that there are */
  constructor(part: string, parts: readonly Part[]) {
    const names = parts.filter(({ path }) => path === '').map(partNameOf);
    super(
      'io',
      names.length === 0
        ? `takes the name of one of several things in a directory, and here is one`
        : `takes ${names.join(' or ')} here, not ${part}`,
    );
  }
}

/** `runs/alice, data and 3 more`: what a command that takes one thing asks to choose from. */
export function partPathsInWords(parts: readonly { path: string }[]): string {
  const paths = [...new Set(parts.map(({ path }) => (path === '' ? '.' : visibleText(path))))];
  const left = paths.length - MAX_NAMES;
  return `${paths.slice(0, MAX_NAMES).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
