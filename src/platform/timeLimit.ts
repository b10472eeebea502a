import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';

/**
 * The answer of a file system, if it comes in time: a server that is gone answers never, and one file must not take the report of all
 * others. The call itself goes on, as it cannot be ended.
 * @param dispose of an answer that came too late
 * @throws FormatError `io` after `limits.answerSeconds`
 */
export async function withTimeLimit<T>(call: Promise<T>, dispose?: (late: T) => Promise<void>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isOver = true;
      reject(new FormatError('io', `the file system gave no answer within ${limits.answerSeconds} seconds`));
    }, limits.answerSeconds * 1000);
  });
  call.then((late) => (isOver ? dispose?.(late) : undefined)).catch(() => undefined);
  try {
    return await Promise.race([call, expired]);
  } finally {
    clearTimeout(timer);
  }
}
