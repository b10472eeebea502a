import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import { mayBeLfsPointer, sizeInLfsPointer } from '../files/lfsPointer.js';
import { decodeLatin1 } from '../bytes/text.js';
import { type ContainerSums, noSums, type SumContext } from './sums/sumFormat.js';
import { sumFormats } from './sums/sumFormats.js';
import { isNeverEmpty, lengthDamage } from './sums/declaredLength.js';
import { reasonWithoutSums } from './sums/withoutSums.js';

const HEAD_BYTES = 64;

/**
 * The sums that a file has of itself. Damage of an index is damage of the file: it is located where the reader met it.
 * @throws FormatError `io`, `cancelled`
 */
export async function containerSums(source: ByteSource, context: Omit<SumContext, 'head'>): Promise<ContainerSums> {
  const { path, signal } = context;
  if (source.sizeBytes === 0)
    return isNeverEmpty(path)
      ? { ...noSums(), damage: [{ offset: 0, length: 0, what: 'is empty, which no file of its format is' }] }
      : { ...noSums(), reason: 'it is empty' };
  const head = await source.read(
    0,
    Math.min(mayBeLfsPointer(source.sizeBytes) ? source.sizeBytes : HEAD_BYTES, source.sizeBytes),
    signal,
  );
  if (sizeInLfsPointer(decodeLatin1(head)) !== undefined)
    return { ...noSums(), reason: 'it is a Git LFS pointer in place of the data' };
  const format = sumFormats.find((one) => one.recognises(path, head));
  const damage = await lengthDamage(source, { path, head, signal });
  if (format === undefined) return { ...noSums(), damage, reason: reasonWithoutSums(path, head) };
  try {
    const sums = await format.read(source, { ...context, head });
    return { ...sums, damage: [...damage, ...sums.damage] };
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'io' || error.code === 'cancelled') throw error;
    if (error.code === 'unsupported' || error.code === 'limit-exceeded') return { ...noSums(), reason: error.detail };
    const offset = Math.min(error.offset ?? 0, source.sizeBytes);
    return { ...noSums(), damage: [{ offset, length: source.sizeBytes - offset, what: error.detail }] };
  }
}
