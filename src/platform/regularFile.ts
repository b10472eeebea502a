import { open, stat, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import { FormatError } from '../core/bytes/formatError.js';
import { decodeWrittenText } from '../core/bytes/text.js';
import { describeIoError } from './ioError.js';

/** A file that was opened for reading. */
export interface OpenFile {
  handle: FileHandle;
  /** At opening, by the handle. */
  sizeBytes: number;
}

/**
 * The one way in which this program opens a file for reading: a regular file, without waiting and without taking a terminal. A device or
 * a pipe may stand where a regular file was listed, and opening a pipe waits for its other end.
 * @param isResolved true for a path without links: a link that took the file's place since is refused
 * @throws FormatError `io`
 */
export async function openRegularFile(file: string, isResolved = false): Promise<OpenFile> {
  // Undefined on Windows, which an OR takes as 0.
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | (isResolved ? O_NOFOLLOW : 0));
    const stats = await handle.stat();
    if (!stats.isFile()) throw notRegular();
    return { handle, sizeBytes: stats.size };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
  }
}

/**
 * A whole file of bounded size. What is at the path is looked at before it is opened: opening a device may do something.
 * @throws FormatError `io` when it cannot be read or is no regular file, `limit-exceeded` above `mostBytes`
 */
export async function readRegularFile(file: string, mostBytes: number, isResolved = false): Promise<Uint8Array> {
  const { handle, sizeBytes } = await openLookedAt(file, isResolved);
  try {
    if (sizeBytes > mostBytes)
      throw new FormatError(
        'limit-exceeded',
        `it has ${sizeBytes} bytes, more than the ${mostBytes} that are read of such a file`,
      );
    const bytes = new Uint8Array(sizeBytes);
    let filled = 0;
    while (filled < sizeBytes) {
      const { bytesRead } = await handle.read(bytes, filled, sizeBytes - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } catch (error) {
    throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
  } finally {
    await handle.close().catch(() => undefined);
  }
}

/** The same as UTF-8. @throws FormatError as `readRegularFile` does */
export async function readRegularText(file: string, mostBytes: number, isResolved = false): Promise<string> {
  return decodeWrittenText(await readRegularFile(file, mostBytes, isResolved));
}

async function openLookedAt(file: string, isResolved: boolean): Promise<OpenFile> {
  try {
    if (!(await stat(file)).isFile()) throw notRegular();
  } catch (error) {
    throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
  }
  return openRegularFile(file, isResolved);
}

function notRegular(): FormatError {
  return new FormatError('io', 'it is not a regular file');
}
