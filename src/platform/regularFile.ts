import { open, stat, type FileHandle } from 'node:fs/promises';
import { close, closeSync, constants, fstat, fstatSync, open as openDescriptor, openSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { FormatError } from '../core/bytes/formatError.js';
import { decodeWrittenText } from '../core/bytes/text.js';
import { describeIoError } from './ioError.js';

/** A file that was opened for reading. */
export interface OpenFile {
  handle: FileHandle;
  /** At opening, by the handle. */
  sizeBytes: number;
}

/** The same by its number, which takes a fifth of the time of a handle. */
export interface OpenDescriptor {
  descriptor: number;
  sizeBytes: number;
}

const descriptorOf = promisify(openDescriptor);
const statsOf = promisify(fstat);
export const closeDescriptor = promisify(close);

/** Opens as `openRegularFile` does. @throws FormatError `io` */
export async function openRegularDescriptor(file: string | Buffer, isResolved = false): Promise<OpenDescriptor> {
  let descriptor: number | undefined;
  try {
    descriptor = await descriptorOf(file, flagsOf(isResolved));
    return { descriptor, sizeBytes: sizeOf(await statsOf(descriptor)) };
  } catch (error) {
    if (descriptor !== undefined) await closeDescriptor(descriptor).catch(() => undefined);
    throw ioErrorOf(error);
  }
}

/** The same without a promise, for who knows that answers are at hand: see `QuickCalls`. @throws FormatError `io` */
export function openRegularDescriptorAtOnce(file: string | Buffer, isResolved = false): OpenDescriptor {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, flagsOf(isResolved));
    return { descriptor, sizeBytes: sizeOf(fstatSync(descriptor)) };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw ioErrorOf(error);
  }
}

function flagsOf(isResolved: boolean): number {
  // Undefined on Windows, which an OR takes as 0.
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  return O_RDONLY | O_NONBLOCK | O_NOCTTY | (isResolved ? O_NOFOLLOW : 0);
}

function sizeOf(stats: Stats): number {
  if (!stats.isFile()) throw notRegular();
  return stats.size;
}

function ioErrorOf(error: unknown): FormatError {
  return FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
}

/**
 * The one way in which this program opens a file for reading: a regular file, without waiting and without taking a terminal. A device or
 * a pipe may stand where a regular file was listed, and opening a pipe waits for its other end.
 * @param isResolved true for a path without links: a link that took the file's place since is refused
 * @throws FormatError `io`
 */
export async function openRegularFile(file: string, isResolved = false): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, flagsOf(isResolved));
    return { handle, sizeBytes: sizeOf(await handle.stat()) };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    throw ioErrorOf(error);
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
    throw ioErrorOf(error);
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
    throw ioErrorOf(error);
  }
  return openRegularFile(file, isResolved);
}

function notRegular(): FormatError {
  return new FormatError('io', 'it is not a regular file');
}
