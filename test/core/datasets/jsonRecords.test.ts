/** Records in JSON as Python's writers leave them. */
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { repeatedSource } from '../../builders/repeatedSource.js';

describe('records in JSON', () => {
  it('may hold NaN and infinities, which Python writes and reads', async () => {
    const lines = '{"text":"say \\"NaN\\"","score":[NaN,1.5]}\n{"text":"b","score":[-Infinity,Infinity]}\n';
    const report = await inspectDataset({ 'train.jsonl': utf8(lines) });
    expect(codesOf(report)).toEqual([]);
    expect(report.samples).toBe(2);
    const cut = await inspectDataset({ 'train.jsonl': utf8('{"text":"a","score":NaN}\n{"text":"b","score":NaNa}\n') });
    expect(codesOf(cut)).toContain('line-corrupt');
  });

  it('are no lines where a list spreads over many: what is too large to be read whole is sampled as text', async () => {
    const unit = utf8(`  {\n    "instruction": "${'the of and '.repeat(40)}",\n    "output": "b"\n  },\n`);
    const records = repeatedSource('train.json', unit, Math.ceil(limits.countedTextBytes / unit.byteLength) + 1);
    const report = await inspectDataset({ 'train.json': listOf(records) });
    expect(codesOf(report)).toEqual([]);
    expect(report.checks.notDone.join()).toContain('lists of records');
  });
});

/** `[`, a line break and the records; the bracket at the end is missing, which no sample sees. */
function listOf(records: ByteSource): ByteSource {
  const beginning = utf8('[\n');
  return {
    ...records,
    sizeBytes: records.sizeBytes,
    async read(offset, length, signal) {
      const bytes = await records.read(Math.max(0, offset - beginning.byteLength), length, signal);
      if (offset >= beginning.byteLength) return bytes;
      const begun = new Uint8Array(length);
      begun.set(beginning.subarray(offset, Math.min(beginning.byteLength, offset + length)));
      begun.set(bytes.subarray(0, Math.max(0, length - (beginning.byteLength - offset))), beginning.byteLength - offset);
      return begun;
    },
  };
}
