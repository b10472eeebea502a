import { checkErrorCodes, type CheckErrorCode } from '../../core/bandwidth/checkError.js';
import type { CheckFailure } from '../../protocol/messages.js';

/** What the page gets of an error; it makes the sentences. */
export function checkFailure(error: unknown): CheckFailure {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return { code: isCheckErrorCode(code) ? code : 'io', detail: typeof message === 'string' ? message : String(error) };
}

function isCheckErrorCode(code: unknown): code is CheckErrorCode {
  return (checkErrorCodes as readonly unknown[]).includes(code);
}
