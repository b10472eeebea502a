import { crc32c } from '../../bytes/crc32c.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { readWhole } from '../../bytes/readWhole.js';
import { blockTrailerBytes, isTableEnd, tableBlocks } from '../../formats/tensorflow/sortedTable.js';
import { parseBundleIndex, type Bundle, type BundleExtent, type BundleTensor } from '../../formats/tensorflow/tensorBundle.js';
import { maskedOf, unmaskedOf } from '../../formats/tensorflow/tfRecord.js';
import { visibleText } from '../../text/visibleText.js';
import { hexOf32 } from '../hashes/hash.js';
import type { Region } from '../passSpec.js';
import { type ContainerSums, noSums, type SumContext, type SumFormat } from './sumFormat.js';

const INDEX_END_BYTES = 48;

/** Masked CRC-32C in the trailer of each block of the index of a tensor bundle. The footer has none. */
export const bundleIndexSums: SumFormat = {
  recognises: (path) => path.endsWith('.index'),
  async read(source, { signal }) {
    const end = Math.min(INDEX_END_BYTES, source.sizeBytes);
    if (!isTableEnd(await source.read(source.sizeBytes - end, end, signal)))
      return { ...noSums(), reason: 'it does not end as an index of a tensor bundle does' };
    return blockSums(await readWhole(source, limits.indexBytes, 'an index', signal));
  },
};

function blockSums(table: Uint8Array): ContainerSums {
  const sums: ContainerSums = { ...noSums(), by: ['tensor-bundle-crc32c'] };
  const view = new DataView(table.buffer, table.byteOffset);
  for (const { offset, bytes } of tableBlocks(table)) {
    const length = bytes + blockTrailerBytes;
    sums.checked.push({ offset, length });
    if (maskedOf(crc32c(table.subarray(offset, offset + bytes + 1))) === view.getUint32(offset + bytes + 1, true)) continue;
    sums.damage.push({ offset, length, what: 'a block of the index: CRC-32C does not match' });
    // What a damaged index says is no place of another block.
    if (sums.checked.length === 1) break;
  }
  return sums;
}

const dataName = /^(.*)\.data-(\d{5})-of-\d{5}$/;

/** Masked CRC-32C of each tensor, which the index has. */
export const bundleDataSums: SumFormat = {
  recognises: (path) => dataName.test(path),
  async read(source, context) {
    const [, prefix = '', shard = ''] = dataName.exec(context.path) ?? [];
    const bundle = await context.once(`bundle ${prefix}`, () => bundleOf(`${prefix}.index`, context));
    if (bundle === null)
      return { ...noSums(), reason: `it has its checksums in ${visibleText(prefix)}.index, which cannot be read` };
    const sums: ContainerSums = { ...noSums(), by: ['tensor-bundle-crc32c'] };
    for (const tensor of bundle.tensors)
      for (const extent of tensor.extents) if (extent.shard === Number(shard)) addExtent(sums, tensor, extent, source.sizeBytes);
    return sums;
  },
};

/** Null for an index that is not there or is damaged: that is said of the index itself. */
async function bundleOf(path: string, { openOther, signal }: SumContext): Promise<Bundle | null> {
  const source = await openOther(path);
  if (source === undefined) return null;
  try {
    const table = await readWhole(source, limits.indexBytes, 'an index', signal);
    return blockSums(table).damage.length > 0 ? null : parseBundleIndex(table);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'io' || error.code === 'cancelled') throw error;
    return null;
  } finally {
    await source.close();
  }
}

function addExtent(
  sums: ContainerSums,
  tensor: BundleTensor,
  { offset, bytes, crc32c: masked }: BundleExtent,
  fileBytes: number,
): void {
  const name = visibleText(tensor.name);
  const what = `tensor ${name}`;
  if (offset + bytes > fileBytes) {
    sums.damage.push({
      offset: Math.min(offset, fileBytes),
      length: Math.max(0, fileBytes - offset),
      what: `${what}: cut off by the end of the file`,
    });
    return;
  }
  const packing = packingOf(tensor);
  if (masked === null || packing === null) {
    sums.reason ??= `${name} is a variant or has no checksum`;
    return;
  }
  const expected = [hexOf32(unmaskedOf(masked))];
  sums.regions.push({ offset, length: bytes, algorithm: 'crc32c', expected, what, ...packing });
}

/** Texts are summed without the encoding of their lengths; variants in a way of their own, which is not computed. */
function packingOf({ dtype, shape }: BundleTensor): Pick<Region, 'packing' | 'items'> | null {
  if (dtype === 'variant' || dtype === 'resource') return null;
  return dtype === 'string' ? { packing: 'tensorflow-strings', items: shape.reduce((product, size) => product * size, 1) } : {};
}
