/** Every fixture cut at every byte: a report with exact sums, and the damage noticed. */
import { describe, expect, it } from 'vitest';
import { memoryTree } from '../builders/memoryTree.js';
import { inspectHostile, isNoticed } from './accountable.js';
import { fixtureFiles } from './fixtureFiles.js';

/** Above this, payload is cut at every 97th byte (a prime, so that all alignments are met); headers and ends at every byte. */
const everyByteBelow = 8_000;
const edgeBytes = 2_000;

function cutsOf(size: number): number[] {
  const all = Array.from({ length: size }, (_, length) => length);
  if (size <= everyByteBelow) return all;
  return all.filter((length) => length < edgeBytes || length > size - edgeBytes || length % 97 === 0);
}

describe.each(fixtureFiles(['torch', 'safetensors', 'lightning', 'gguf', 'misc'], 200_000))('$name', ({ name, bytes }) => {
  it('gives an exact account wherever it is cut, and says that it was', async () => {
    const fileName = name.slice(name.lastIndexOf('/') + 1);
    const silent: number[] = [];
    for (const length of cutsOf(bytes.byteLength)) {
      const report = await inspectHostile(memoryTree('cut', { [fileName]: bytes.subarray(0, length) }));
      if (!isNoticed(report)) silent.push(length);
    }
    expect(silent).toEqual([]);
  });
});
