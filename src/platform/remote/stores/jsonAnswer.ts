import { FormatError } from '../../../core/bytes/formatError.js';
import type { HttpAnswer } from '../httpSession.js';

/** The JSON that a server sent. @throws FormatError `io` for what is none, such as the page of a proxy */
export function jsonOf({ bytes }: Pick<HttpAnswer, 'bytes'>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new FormatError('io', 'the server sends something other than JSON: is there a proxy that asks for a login?', {
      cause: error,
    });
  }
}

/** An object as it is, anything else as one without members. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
