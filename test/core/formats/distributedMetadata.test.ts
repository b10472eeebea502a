/** The index of a distributed save: the same whether its objects are read one opcode after the other or in one go. */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { readDistributedMetadata, type DistributedMetadata } from '../../../src/core/formats/torch/distributedMetadata.js';
import { overwrite, u32, u64 } from '../../builders/byteWriter.js';
import { runs } from '../../builders/seed.js';

const root = path.resolve('test/fixtures/frameworks');
const indexes = ['dcp', 'megatron']
  .flatMap((family) =>
    (readdirSync(path.join(root, family), { recursive: true }) as string[]).map((name) => path.join(root, family, name)),
  )
  .filter((name) => path.basename(name) === '.metadata');

/** Everything that is known of the index, as plain values. */
function contentOf({ chunks, items, entries, ...rest }: DistributedMetadata): unknown {
  const rows = entries.map((entry) => ({
    ...entry,
    ...(entry.tensor && {
      tensor: {
        ...entry.tensor,
        chunks: entry.tensor.chunks.map((chunk) => [chunks.elementsOf(chunk), chunks.rankOf(chunk), chunks.offsetOf(chunk, 0)]),
      },
    }),
    items: entry.items.map((item) => [
      items.files[items.file.at(item)],
      items.offset.at(item),
      items.length.at(item),
      items.chunk.at(item) === -1 ? null : chunks.elementsOf(items.chunk.at(item)),
      items.transforms.get(item),
    ]),
  }));
  return { ...rest, rows };
}

function read(bytes: Uint8Array, forget: boolean): unknown {
  try {
    return contentOf(readDistributedMetadata(bytes, { forget }));
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return error.code;
  }
}

describe.each(indexes.map((name) => [path.relative(root, name), name]))('%s', (_, name) => {
  const bytes = new Uint8Array(readFileSync(name));

  it('says the same in both ways of reading', () => {
    expect(read(bytes, true)).toEqual(read(bytes, false));
  });

  it('says the same in both ways of reading when it is damaged', () => {
    const patch = fc.record({
      at: fc.nat(bytes.byteLength - 9),
      value: fc.constantFrom(u32(0), u64(2n ** 53n), Uint8Array.of(0x94), Uint8Array.of(0x4b)),
    });
    fc.assert(
      fc.property(fc.array(patch, { minLength: 1, maxLength: 3 }), (patches) => {
        const damaged = patches.reduce<Uint8Array>((before, { at, value }) => overwrite(before, at, value), bytes);
        expect(read(damaged, true)).toEqual(read(damaged, false));
      }),
      runs(40, 3000),
    );
  });
});
