import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { ByteSource } from '../core/bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../core/bytes/formatError.js';
import { describeIoError } from './ioError.js';
import type { QuickCalls } from './quickCalls.js';
import { closeDescriptor, openRegularDescriptor, openRegularDescriptorAtOnce } from './regularFile.js';
import type { Semaphore } from './semaphore.js';
import { withTimeLimit } from './timeLimit.js';

/** Bytes of one call, which has a time limit: at 1 MB/s it takes half of it. */
const longestReadBytes = 64 * 1024 * 1024;
const readDescriptor = promisify(read);

/**
 * Opens a regular file for exact reads, by a path without links. The size is the one at opening: a file that shrinks afterwards ends in `truncated`, one
 * that grows is read up to its first size.
 * @param handles bounds the open handles; the slot is given back by `close`
 * @param calls whether to open and close at once, or beside other calls. Data are read beside others: these may be on a tape
 * @throws FormatError `io` when it cannot be opened or is no regular file
 */
export async function openNodeByteSource(
  absolutePath: string | Buffer,
  name: string,
  handles: Semaphore,
  calls: QuickCalls,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const release = await handles.acquire(signal);
  try {
    const { descriptor, sizeBytes } =
      calls.atOnce(() => openRegularDescriptorAtOnce(absolutePath, true)) ??
      (await calls.call(
        () => openRegularDescriptorAtOnce(absolutePath, true),
        () => withTimeLimit(openRegularDescriptor(absolutePath, true), ({ descriptor: late }) => closeDescriptor(late)),
      ));
    return new NodeByteSource(name, sizeBytes, descriptor, calls, release);
  } catch (error) {
    release();
    throw error;
  }
}

class NodeByteSource implements ByteSource {
  private closed = false;

  constructor(
    readonly name: string,
    readonly sizeBytes: number,
    private readonly descriptor: number,
    private readonly calls: QuickCalls,
    private readonly release: () => void,
  ) {}

  async read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    this.refuseBeyond(offset, length, signal);
    // Not zeroed: every byte is read into it, or the read throws.
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
    await this.readInto(bytes, offset, signal);
    return bytes;
  }

  async readInto(target: Uint8Array, offset: number, signal?: AbortSignal): Promise<void> {
    const length = target.byteLength;
    this.refuseBeyond(offset, length, signal);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.readSome(target, filled, offset + filled);
      throwIfCancelled(signal);
      if (bytesRead === 0) throw endsTooSoon(offset, length, offset + filled);
      filled += bytesRead;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    try {
      await this.calls.call(
        () => closeSync(this.descriptor),
        () => closeDescriptor(this.descriptor),
      );
    } catch {
      // Nothing was written: a failing close loses nothing.
    } finally {
      this.release();
    }
  }

  private refuseBeyond(offset: number, length: number, signal: AbortSignal | undefined): void {
    throwIfCancelled(signal);
    if (offset < 0 || length < 0 || offset + length > this.sizeBytes) throw endsTooSoon(offset, length, this.sizeBytes);
  }

  private async readSome(bytes: Uint8Array, filled: number, position: number): Promise<{ bytesRead: number }> {
    try {
      return await withTimeLimit(
        readDescriptor(this.descriptor, bytes, filled, Math.min(bytes.byteLength - filled, longestReadBytes), position),
      );
    } catch (error) {
      if (FormatError.is(error)) throw error;
      throw new FormatError('io', describeIoError(error), { offset: position, cause: error });
    }
  }
}

function endsTooSoon(offset: number, length: number, endBytes: number): FormatError {
  return new FormatError('truncated', `${length} bytes from ${offset} were expected, the file ends at ${endBytes}`, {
    offset: endBytes,
  });
}
