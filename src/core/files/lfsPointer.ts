/** Pointers of Git LFS in place of the files that they point to: a clone without git-lfs has them under every name. */
import { FormatError } from '../bytes/formatError.js';
import type { ByteSource } from '../bytes/byteSource.js';
import { decodeLatin1 } from '../bytes/text.js';

/**
 * A pointer has three lines (github.com/git-lfs/git-lfs, docs/spec.md): `version` with the address of the specification, `oid` with a
 * SHA-256, `size` with up to 15 digits. Lines may end in CR LF.
 */
const FEWEST_BYTES = 126;
const MOST_BYTES = 144;

/** A file that is a pointer: no reader finds what its name promises. */
export class LfsPointerError extends FormatError {
  constructor(readonly expectedBytes: number) {
    super('not-this-format', 'a Git LFS pointer instead of the data', { offset: 0 });
  }
}

/** Whether a file has the size of a pointer, so that its content is worth a look. */
export function mayBeLfsPointer(sizeBytes: number): boolean {
  return sizeBytes >= FEWEST_BYTES && sizeBytes <= MOST_BYTES;
}

/** @throws LfsPointerError for a pointer; a file of any other size is not read. */
export async function refuseLfsPointer(source: ByteSource, signal: AbortSignal | undefined): Promise<void> {
  if (!mayBeLfsPointer(source.sizeBytes)) return;
  const bytes = await source.read(0, source.sizeBytes, signal);
  const expectedBytes = sizeInLfsPointer(decodeLatin1(bytes, 0, bytes.byteLength));
  if (expectedBytes !== undefined) throw new LfsPointerError(expectedBytes);
}

/** The size of the file that a pointer is for; undefined for any other text. */
export function sizeInLfsPointer(text: string): number | undefined {
  if (!text.startsWith('version https://git-lfs.github.com/spec/')) return undefined;
  return Number(/^size (\d{1,15})\r?$/m.exec(text)?.[1] ?? 0);
}
