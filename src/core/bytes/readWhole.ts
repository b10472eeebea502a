import type { ByteSource } from './byteSource.js';
import { FormatError } from './formatError.js';

/**
 * All bytes of a source that may have no more than a limit.
 * @param contents what it is read as, for the error: `JSON`
 * @throws FormatError `limit-exceeded` before anything is read
 */
export async function readWhole(
  source: ByteSource,
  limitBytes: number,
  contents: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (source.sizeBytes > limitBytes) throw new FormatError('limit-exceeded', `${source.sizeBytes} bytes of ${contents}`);
  return source.read(0, source.sizeBytes, signal);
}
