import { FormatError } from '../bytes/formatError.js';
import type { FileFinding } from './finding.js';

/** A file with something else in place of its data, for an everyday reason: a web page, zeros, the text of a link. */
export class ImpostorError extends FormatError {
  constructor(readonly finding: FileFinding) {
    super('not-this-format', 'something else in place of the data', { offset: finding.offset ?? 0 });
  }
}
