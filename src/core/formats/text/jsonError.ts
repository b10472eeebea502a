/**
 * Why a text is no JSON, without any of the text: a link may lead to any file, and reports are shared. JavaScript's own messages quote
 * what they stumble over.
 */
export function jsonErrorInWords(error: unknown): string {
  const message = error instanceof SyntaxError ? error.message : '';
  return message === '' || /["'`]/.test(message) ? 'the text is not JSON' : message;
}
