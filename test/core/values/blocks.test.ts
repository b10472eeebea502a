/** Blocks of quantized values against gguf-py: see test/fixtures/values/PROVENANCE.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockDecoder } from '../../../src/core/values/blocks/blockDecoder.js';
import { accumulatorOf } from '../../../src/core/values/accumulatorOf.js';
import { bytesOfElements } from '../../../src/core/tensors/dtype.js';

interface Golden {
  blocks: string;
  values: string;
}

const golden = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../fixtures/values/blocks.json'), 'utf8')) as Record<
  string,
  Golden
>;

describe.each(Object.entries(golden))('%s', (dtype, { blocks, values }) => {
  const bytes = new Uint8Array(Buffer.from(blocks, 'base64'));
  const truth = new Float32Array(new Uint8Array(Buffer.from(values, 'base64')).buffer);
  const decoder = blockDecoder(dtype);

  it('is dequantized to the same floats', () => {
    expect(bytes.byteLength).toBe(bytesOfElements(dtype, truth.length));
    // -0 is the same value as 0.
    const decoded = Array.from(decoder?.decode(bytes, 0) ?? [], (value) => value + 0);
    expect(decoded).toEqual(Array.from(truth, (value) => value + 0));
  });

  it('is counted by these', () => {
    const accumulator = accumulatorOf(dtype, false);
    accumulator.add(bytes, true);
    const finite = truth.filter(Number.isFinite);
    const summary = accumulator.summary();
    expect(summary).toMatchObject({ count: 512, zeros: finite.filter((value) => value === 0).length });
    expect(summary.max).toBe(Math.max(...finite) + 0);
    expect(summary.histogram?.counts.reduce((sum, count) => sum + count, 0)).toBe(finite.length);
  });
});
