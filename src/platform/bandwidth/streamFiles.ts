import { closeSync, constants, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { monotonicNanoseconds } from './sharedMemory.js';
import { renameHeld, unlinkHeld } from '../os/heldFiles.js';
import { thisSystem } from '../os/thisSystem.js';

/** Where a stream writes. */
export interface StreamPlace {
  /** What file names are put behind; on Linux it leads through an open directory, and so never elsewhere. */
  base: string;
  /** The open directory, for fsync; null where directories cannot be opened (Windows). */
  directoryDescriptor: number | null;
}

/** The files of one stream. Every call blocks its thread, as those of a rank do. */
export class StreamFiles {
  /** The file that an error would be about. */
  current: string | null = null;

  constructor(private readonly place: StreamPlace) {}

  /** Makes a new file and closes it after its use. O_EXCL: never a file that somebody else has put there, and never through a link. */
  create(name: string, isDirect: boolean, use: (descriptor: number) => void): void {
    this.use(this.open(name, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, isDirect), use);
  }

  /** The same, with the time that making the file takes, in seconds, given before its use. */
  createTimed(name: string, tell: (seconds: number) => void, use: (descriptor: number) => void): void {
    let descriptor = -1;
    tell(timed(() => (descriptor = this.open(name, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, false))));
    this.use(descriptor, use);
  }

  openToRead(name: string, isDirect: boolean, use: (descriptor: number) => void): void {
    this.use(this.open(name, constants.O_RDONLY, isDirect), use);
  }

  rename(from: string, to: string): void {
    renameHeld(this.place.base + from, this.place.base + to);
  }

  remove(name: string): void {
    this.current = name;
    unlinkHeld(this.place.base + name);
  }

  /** Makes the names of the files last as well as their data. */
  syncDirectory(): void {
    this.current = null;
    if (this.place.directoryDescriptor === null) return;
    try {
      fsyncSync(this.place.directoryDescriptor);
    } catch (error) {
      // Some network and FUSE file systems have no fsync of directories.
      if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'].includes((error as { code?: string }).code ?? '')) throw error;
    }
  }

  private use(descriptor: number, use: (descriptor: number) => void): void {
    try {
      use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  private open(name: string, flags: number, isDirect: boolean): number {
    this.current = name;
    const direct = isDirect ? (thisSystem.directFlag ?? 0) : 0;
    // Undefined on Windows.
    return openSync(this.place.base + name, flags | (constants.O_NOFOLLOW ?? 0) | direct, 0o600);
  }
}

export function writeFully(descriptor: number, data: Uint8Array, position: number): void {
  for (let written = 0; written < data.length;) {
    const count = writeSync(descriptor, data, written, data.length - written, position + written);
    if (count === 0) throw Object.assign(new Error('nothing more could be written'), { code: 'EIO' });
    written += count;
  }
}

export function readFully(descriptor: number, into: Uint8Array, position: number): void {
  for (let read = 0; read < into.length;) {
    const count = readSync(descriptor, into, read, into.length - read, position + read);
    if (count === 0) throw differs(`it ends at ${position + read}, before what was written`);
    read += count;
  }
}

export function sync(descriptor: number): void {
  fsyncSync(descriptor);
}

/** Seconds that an operation takes. */
export function timed(operation: () => void): number {
  const start = monotonicNanoseconds();
  operation();
  return Number(monotonicNanoseconds() - start) / 1e9;
}

/** The error of data that came back other than they were written. */
export function differs(detail: string): Error {
  return Object.assign(new Error(detail), { code: 'data-differ' });
}
