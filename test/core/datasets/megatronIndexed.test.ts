/** Megatron-LM's indexed datasets: merged prefixes, older indexes, halves of a pair, and how little is read. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { concat, overwrite, patternBytes, u32, u64, u8, utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';

/** One sequence a document. */
function pair(lengths: readonly number[]): { idx: Uint8Array; bin: Uint8Array } {
  let at = 0;
  const pointers = lengths.map((length) => u64(2 * (at += length) - 2 * length));
  const boundaries = [...lengths.map((_, index) => index), lengths.length].map(u64);
  const head = concat(utf8('MMIDIDX\0\0'), u64(1), u8(8), u64(lengths.length), u64(lengths.length + 1));
  return { idx: concat(head, ...lengths.map(u32), ...pointers, ...boundaries), bin: patternBytes(2 * at) };
}

describe('pairs', () => {
  const a = pair([3, 5]);
  const b = pair([7]);

  it('that hold all others are reported as copies, and count', async () => {
    const all = pair([3, 5, 7]);
    const report = await inspectDataset({
      'a.bin': a.bin,
      'a.idx': a.idx,
      'b.bin': b.bin,
      'b.idx': b.idx,
      'm.bin': all.bin,
      'm.idx': all.idx,
    });
    expect(codesOf(report)).toEqual(['dataset-stored-twice']);
    expect(report).toMatchObject({ samples: 6, tokens: { count: 30, exact: true } });
  });

  it('that only have as many tokens are none', async () => {
    const other = pair([15]);
    const report = await inspectDataset({
      'a.bin': a.bin,
      'a.idx': a.idx,
      'b.bin': b.bin,
      'b.idx': b.idx,
      'm.bin': other.bin,
      'm.idx': other.idx,
    });
    expect(codesOf(report)).toEqual([]);
  });

  it('miss their other half', async () => {
    expect(codesOf(await inspectDataset({ 'a.idx': a.idx, 'b.idx': b.idx, 'b.bin': b.bin }))).toEqual(['index-unmatched']);
    expect(codesOf(await inspectDataset({ 'a_text_document.bin': patternBytes(4000) }))).toEqual(['index-unmatched']);
  });

  it('of one byte a token have as many tokens as bytes', async () => {
    const { idx } = pair([100, 28]);
    // dtype code 1, and a pointer to the second document in bytes.
    const bytes = overwrite(overwrite(idx, 17, u8(1)), 34 + 8 + 8, u64(100));
    const report = await inspectDataset({ 'a.idx': bytes, 'a.bin': patternBytes(128) });
    expect(report).toMatchObject({ samples: 2, tokenDtype: 'u8', tokens: { count: 128, exact: true, basis: 'header' } });
    expect(codesOf(report)).toEqual([]);
  });

  it.each([
    '0123456789abcdef0123456789abcdef-GPTDataset-train-shuffle_index.npy',
    'a_text_document_train_indexmap_1000ns_2048sl_1234s_doc_idx.npy',
  ])('have an index cache, which is no data: %s', async (name) => {
    const cache = buildNpy({ descr: '<i4', shape: [500], data: patternBytes(2000) });
    for (const place of ['', 'cache/GPTDataset_indices/']) {
      const report = await inspectDataset({ 'a.idx': a.idx, 'a.bin': a.bin, [`${place}${name}`]: cache });
      expect(report).toMatchObject({ layout: 'megatron-indexed', tokens: { count: 8, exact: true } });
      expect(report.bytes).toMatchObject({ index: a.idx.length + cache.length });
    }
    const { report: alone } = await inspect(memoryTree('d', { [name]: cache }), { path: 'd' });
    expect(alone.kind).toBe('checkpoint');
  });

  it('of fairseq are recognised, and their bytes unexplained', async () => {
    const report = await inspectDataset({ 'a.idx': concat(utf8('TNTIDX\0\0'), patternBytes(100)), 'a.bin': patternBytes(1000) });
    expect(codesOf(report)).toEqual(['unsupported-version']);
    expect(report.bytes).toEqual({ unexplained: 1108 });
  });

  it.each([
    ['an index that is cut', { idx: a.idx.subarray(0, a.idx.byteLength - 1) }, 'shard-truncated'],
    ['an index with bytes behind its end', { idx: concat(a.idx, new Uint8Array(1)) }, 'shard-size-differs'],
    ['an index that ends in its header', { idx: a.idx.subarray(0, 30) }, 'shard-truncated'],
    ['an index of version 0', { idx: overwrite(a.idx, 9, u64(0)) }, 'unsupported-version'],
    ['an index of more sequences than any file has', { idx: overwrite(a.idx, 18, u64(2n ** 53n - 1n)) }, 'shard-corrupt'],
    ['data that are cut', { bin: a.bin.subarray(0, a.bin.byteLength - 2) }, 'shard-size-differs'],
    ['data with tokens behind their end', { bin: concat(a.bin, new Uint8Array(2)) }, 'shard-size-differs'],
  ])('with %s are reported as such', async (_, damaged, code) => {
    const { idx, bin } = { ...a, ...damaged };
    expect(codesOf(await inspectDataset({ 'a.idx': idx, 'a.bin': bin }))).toContain(code);
  });

  it.each([
    ['a negative length', 34, u32(0xffff_fffe)],
    ['a length unlike its pointers', 34, u32(4)],
    ['a pointer behind the one after it', 42, u64(8)],
    ['a negative pointer', 50, u64(2n ** 64n - 6n)],
    ['documents that do not begin at 0', 58, u64(1)],
    ['a document behind the one after it', 66, u64(9)],
    ['a negative document', 66, u64(2n ** 64n - 1n)],
    ['documents that end before the sequences do', 74, u64(1)],
  ])('with %s in the index have no exact number', async (_, at, value) => {
    const report = await inspectDataset({ 'a.idx': overwrite(a.idx, at, value), 'a.bin': a.bin });
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'shard-corrupt', path: 'a.idx', severity: 'error' }));
    expect(report).toMatchObject({ samples: null, tokens: { count: 8, exact: false, interval: [0, 8] }, lengths: null });
  });

  it('with a damaged beginning of the index leave the data unexplained', async () => {
    const report = await inspectDataset({ 'a.idx': a.idx.subarray(0, 5), 'a.bin': a.bin, 'b.idx': b.idx, 'b.bin': b.bin });
    expect(report.findings.some(({ severity, path: at }) => severity === 'error' && at === 'a.idx')).toBe(true);
    expect(report.bytes.unexplained).toBe(5 + a.bin.byteLength);
  });
});

it('takes settings of a run out of the index cache', async () => {
  const root = path.resolve('test/fixtures/frameworks/megatron-indexed/gpt-cache/data');
  const name = 'cache/3f231aba61b02d7bae0026962482b936-GPTDataset-train-description.txt';
  const files = ['web_text_document.bin', 'web_text_document.idx', name];
  const report = await inspectDataset(
    Object.fromEntries(files.map((file) => [file, new Uint8Array(readFileSync(path.join(root, file)))])),
  );
  expect(report.facts.map(({ label, value }) => `${label}: ${value}`)).toEqual(
    expect.arrayContaining([
      'samples of the run (train): 60',
      'sequence length (train): 64',
      'seed (train): 1234',
      'split (train): 90,8,2',
    ]),
  );
  expect(report.vocabulary?.size).toBe(32_000);
});

it('reads the header and the end of an index of 50 million sequences, and no more', async () => {
  const sequences = 50_000_000;
  const head = concat(utf8('MMIDIDX\0\0'), u64(1), u8(8), u64(sequences), u64(sequences + 1));
  const pointersAt = 34 + 4 * sequences;
  const zeros = (sizeBytes: number, parts: [at: number, bytes: Uint8Array][]) => ({
    name: 'sparse',
    sizeBytes,
    close: () => Promise.resolve(),
    read(offset: number, length: number) {
      const result = new Uint8Array(length);
      for (const [at, bytes] of parts)
        for (let index = Math.max(0, offset - at); index < bytes.byteLength && at + index < offset + length; index++)
          result[at + index - offset] = bytes[index] as number;
      return Promise.resolve(result);
    },
  });
  const idx = zeros(pointersAt + 8 * sequences + 8 * (sequences + 1), [
    [0, head],
    [pointersAt + 8 * (sequences - 1), u64(10 ** 12)],
  ]);
  const log: ReadLog = { reads: [] };
  const report = await inspectDataset({ 'a.idx': idx, 'a.bin': zeros(10 ** 12, [[0, Uint8Array.of(0xff)]]) }, log);
  expect(report).toMatchObject({ samples: sequences, tokens: { count: 5 * 10 ** 11, exact: true } });
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(report.io.bytesRead).toBeLessThan(2 * 4096);
});

describe('an index beside a model', () => {
  /** `os.system("touch x")`, as protocol 2 calls it. */
  const call = concat(Uint8Array.of(0x80, 2), utf8('cos\nsystem\n(X'), u32(7), utf8('touch x'), utf8('tR.'));

  it('does not hide what the model calls', async () => {
    const head = concat(utf8('MMIDIDX\0\0'), u64(1), u8(1), u64(1), u64(2));
    const idx = concat(head, u32(call.byteLength), u64(0), u64(0), u64(1));
    const { report } = await inspect(memoryTree('m', { 'pytorch_model.bin': call, 'pytorch_model.idx': idx }), { path: 'm' });
    expect(codesOf(report as Parameters<typeof codesOf>[0])).toContain('pickle-calls-unexpected');
  });

  it('does not take tokens that begin as a pickle for one', async () => {
    const tokens = pair([3, 5]);
    const bin = overwrite(tokens.bin, 0, Uint8Array.of(0x80, 2));
    const report = await inspectDataset({ 'a.bin': bin, 'a.idx': tokens.idx });
    expect(codesOf(report)).toEqual([]);
  });
});
