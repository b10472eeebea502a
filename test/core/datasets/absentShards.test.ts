/** One file of each dataset without its data: not readable, empty, a pointer, a web page, zeros, not here. It has a finding, and totals are bounds. */
import path from 'node:path';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { encodeText } from '../../../src/core/bytes/text.js';
import type { CountReport, DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { concat, patternBytes, u32, utf8 } from '../../builders/byteWriter.js';
import { filesBelow } from '../../builders/diskTree.js';
import { casesBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';

const pointer = encodeText(`version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345678\n`);
const webPage = encodeText(`<!DOCTYPE html>\n<html><body>${'<p>Sign in to see this file.</p>\n'.repeat(12)}</body></html>\n`);

interface Absence {
  make: (bytes: Uint8Array, path: string) => MemoryFile;
  /** Code of the finding. */
  code: RegExp;
}

const absences: Readonly<Record<string, Absence>> = {
  'not readable': { make: unreadable, code: /^file-unreadable$/ },
  'a dangling link': {
    make: ({ byteLength }) => ({ entry: { error: 'ENOENT: no such file or directory', sizeBytes: byteLength } }),
    code: /^file-unreadable$/,
  },
  // An empty file of text, or of records without a header, is a whole one without any.
  empty: { make: () => new Uint8Array(0), code: /^(file-empty|shard-empty)$/ },
  'a Git LFS pointer': { make: () => pointer, code: /^file-is-lfs-pointer$/ },
  // In a text file a web page is text, and an index gives lines their lengths.
  'a web page': { make: () => webPage, code: /^(file-is-web-page|shard-size-differs)$/ },
  zeros: {
    // As many as the padding of an empty tar archive may have are one.
    make: ({ byteLength }, file) => new Uint8Array(file.endsWith('.tar') ? Math.max(byteLength, 65_536 + 512) : byteLength),
    code: /^file-zero-filled$/,
  },
};

function unreadable({ byteLength }: Uint8Array): MemoryFile {
  return {
    name: 'unreadable',
    sizeBytes: byteLength,
    read: () => Promise.reject(new FormatError('io', 'EACCES: permission denied')),
    close: () => Promise.resolve(),
  };
}

describe.each(casesBelow(fixtureRoot, 'dataset'))('%s', (name) => {
  const files = filesBelow(path.join(fixtureRoot, name, 'data'));

  it.each(Object.entries(absences))('is bounded with a shard that is %s', async (kind, { make, code }) => {
    const whole = await inspectDataset(files);
    for (const shard of [whole.shards[0], whole.shards.at(-1)]) {
      if (shard === undefined || (kind === 'a web page' && /\.(txt|csv)$/.test(shard.path))) continue;
      const report = await datasetOrNull({ ...files, [shard.path]: make(files[shard.path] as Uint8Array, shard.path) });
      // The only shard of a dataset that is known by its content.
      if (report === null) continue;
      const own = report.findings.filter((finding) => finding.path === shard.path).map((finding) => finding.code);
      expect(
        own.some((each) => code.test(each)),
        `${shard.path}: ${own.join(', ')}`,
      ).toBe(true);
      expectBound(whole.sampleCount, report.sampleCount, `samples without ${shard.path}`);
      expectBound(whole.tokens, report.tokens, `tokens without ${shard.path}`);
    }
  });
});

describe('a shard much larger than the others', () => {
  const tokens = patternBytes(40_000);
  const small = { 'b/tokens.u16': tokens.subarray(0, 400), 'c/tokens.u16': tokens.subarray(0, 400) };
  const withFirst = (first: MemoryFile): Promise<DatasetReport> => inspectDataset({ 'a/tokens.u16': first, ...small });

  it('is bounded by the size that its pointer states, or by its own', async () => {
    const sized = encodeText(new TextDecoder().decode(pointer).replace('12345678', '40000'));
    expect((await withFirst(sized)).tokens).toMatchObject({ count: 400, exact: false, interval: [400, 20_400] });
    expect((await withFirst(new Uint8Array(40_000))).tokens).toMatchObject({ count: 400, exact: false, interval: [400, 20_400] });
  });

  it('has no upper bound where its size is not known', async () => {
    const { tokens: sum } = await withFirst(unreadable(tokens));
    expect(sum).toMatchObject({ count: 400, exact: false, interval: [400, null] });
    expect(sum?.method).toContain('what the other shards hold is not known');
  });

  it('is bounded by the index that states its tokens', async () => {
    const files = fixture('megatron-indexed/merged');
    const whole = await inspectDataset(files);
    const largest = [...whole.shards].sort((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0))[0]?.path ?? '';
    const { [largest]: _, ...rest } = files;
    const report = await inspectDataset(rest);
    expect(report.tokens).toMatchObject({ exact: false, interval: [report.tokens?.count, whole.tokens?.count] });
    expect(report.sampleCount).toMatchObject({ exact: false, interval: [report.sampleCount?.count, whole.sampleCount?.count] });
  });
});

describe('a file of text', () => {
  const lines = (count: number): Uint8Array => utf8('{"text": "a line of text"}\n'.repeat(count));
  const tokenized = (count: number): Uint8Array => utf8('{"input_ids": [1, 2, 3]}\n'.repeat(count));

  it.each([
    ['jsonl', lines(10)],
    ['jsonl', tokenized(10)],
    ['csv', utf8(`text\n${'a line of text\n'.repeat(10)}`)],
  ])('without any bytes is no whole shard: .%s', async (extension, bytes) => {
    const name = (shard: number): string => `train-0000${shard}-of-00003.${extension}`;
    const report = await inspectDataset({ [name(0)]: bytes, [name(1)]: new Uint8Array(0), [name(2)]: bytes });
    expect(report.sampleCount).toMatchObject({ exact: false, interval: [20, null], coverage: { counted: 2, of: 3 } });
    expect(report.tokens).toMatchObject({ exact: false, interval: [expect.any(Number), null] });
    const { [name(1)]: _, ...rest } = { [name(0)]: bytes, [name(1)]: bytes, [name(2)]: bytes };
    expect(codesOf(await inspectDataset(rest))).toContain('shard-count-differs');
  });

  it('with control characters for a last line is damaged', async () => {
    const report = await inspectDataset({ 'a.jsonl': lines(10), 'b.jsonl': concat(lines(10), new Uint8Array(777).fill(7)) });
    expect(report.findings).toMatchObject([{ code: 'line-corrupt', path: 'b.jsonl', offset: 270 }]);
    expect(report.sampleCount).toMatchObject({ exact: false });
    expect(codesOf(await inspectDataset({ 'a.jsonl': concat(lines(10), utf8(' \t\r\n\n')) }))).toEqual([]);
  });
});

/** Null for what is no dataset any more. */
async function datasetOrNull(files: Readonly<Record<string, MemoryFile>>): Promise<DatasetReport | null> {
  const { report } = await inspect(memoryTree('data', files), { path: 'data' });
  return report.kind === 'dataset' ? report : null;
}

function expectBound(whole: CountReport | null, bounded: CountReport | null, what: string): void {
  if (whole === null || bounded === null) return;
  expect(bounded.exact, what).toBe(false);
  expect(bounded.coverage?.counted, what).toBeLessThan(bounded.coverage?.of ?? 0);
  expectInside(whole, bounded, what);
  if (whole.coverage !== null) expect(bounded.coverage?.of, what).toBeGreaterThanOrEqual(whole.coverage.of);
}

/** The number of the whole dataset is between the bounds of what is left of it. */
function expectInside(whole: CountReport | null, bounded: CountReport | null, what: string): void {
  if (whole?.exact !== true || bounded === null || bounded.exact) return;
  const [least, most] = bounded.interval;
  expect(whole.count, what).toBeGreaterThanOrEqual(least);
  expect(whole.count, what).toBeLessThanOrEqual(most ?? Infinity);
}

const fixture = (name: string): Record<string, Uint8Array> => filesBelow(path.join(fixtureRoot, name, 'data'));

const documents = gzipSync(utf8('0,1000,a,f,0\n1000,2000,b,f,1\n'));
const raw = {
  'part-0-00000.npy': patternBytes(4000),
  'part-0-00000.csv.gz': documents,
  'part-1-00000.npy': patternBytes(4000),
  'part-1-00000.csv.gz': documents,
};

describe('a file without its partner', () => {
  it.each([
    ['megatron-indexed/merged', 'a_text_document.bin'],
    ['megatron-indexed/merged', 'a_text_document.idx'],
    ['datasets/datatrove', 'tok/train_00001_unshuffled.ds'],
    ['datasets/arrow-lists', 'tokenized/data-00001-of-00003.arrow'],
    ['OLMo', 'part-0-00000.npy'],
  ])('is one shard less than whole: %s without %s', async (name, missing) => {
    const files: Record<string, Uint8Array> = name === 'OLMo' ? raw : fixture(name);
    const whole = await inspectDataset(files);
    const { [missing]: _, ...rest } = files;
    const report = await inspectDataset(rest);
    const of = whole.tokens?.coverage?.of ?? 0;
    expect(report.tokens).toMatchObject({ exact: false, coverage: { counted: of - 1, of } });
    expect(report.sampleCount).toMatchObject({ exact: false, coverage: { counted: of - 1, of } });
  });

  it('is bounded by the ends of documents beside it', async () => {
    const { 'part-0-00000.npy': _, ...rest } = raw;
    for (const files of [rest, { ...raw, 'part-0-00000.npy': new Uint8Array(0) }]) {
      const report = await inspectDataset(files);
      expect(report.tokens).toMatchObject({ exact: false, interval: [2000, 4000] });
      expect(report.sampleCount).toMatchObject({ exact: false, interval: [2, 4] });
    }
  });

  it('is no second dataset: an index cache beside a corpus, or alone', async () => {
    const files = fixture('megatron-indexed/gpt-cache');
    const { 'web_text_document.idx': _, ...rest } = files;
    const report = await inspectDataset(rest);
    expect(report.layout).toBe('token-array');
    expect(report.shards.map((shard) => shard.path)).toEqual(['web_text_document.bin']);
    expect(report.files.filter(({ role }) => role === 'index cache')).toHaveLength(Object.keys(files).length - 2);
  });
});

/** Three shards of llm.c with 2,000 tokens each. */
const headed = Object.fromEntries(
  [1, 2, 3].map((shard) => [
    `fineweb_train_00000${shard}.bin`,
    concat(u32(20_240_520), u32(1), u32(2000), new Uint8Array(1024 - 12), patternBytes(4000, shard)),
  ]),
);

describe('a payload of zeros', () => {
  it('behind a header is none that counts', async () => {
    const [name = '', bytes = new Uint8Array(0)] = Object.entries(headed)[0] ?? [];
    const report = await inspectDataset({ ...headed, [name]: bytes.slice().fill(0, 1024) });
    expect(codesOf(report)).toContain('file-zero-filled');
    expect(report.splits).toMatchObject([{ name: 'train', shards: 3, tokens: null }]);
    expect(report.tokens).toMatchObject({ count: 4000, exact: false, coverage: { counted: 2, of: 3 } });
  });

  it('does not hide the files with headers, whatever is in place of one', async () => {
    const [name = '', bytes = new Uint8Array(0)] = Object.entries(headed)[0] ?? [];
    // Zeros may be in place of 5,024 bytes of tokens; where a header is missing, more may be.
    for (const [place, code, most] of [
      [new Uint8Array(5024), 'file-zero-filled', 6512],
      [bytes.subarray(1024), 'shard-not-its-format', null],
    ] as const) {
      const report = await inspectDataset({ ...headed, [name]: place });
      expect(report.findings).toMatchObject([{ code, path: name }]);
      expect(report.tokens).toMatchObject({ count: 4000, exact: false, interval: [4000, most], coverage: { counted: 2, of: 3 } });
    }
  });

  it('that was never written has a hole in its place', async () => {
    const bytes = new Uint8Array(200_000).map((_, index) => (index < 80_000 ? ((index * 7919) >> 3) & 0xff : 0));
    const entry = { allocatedBytes: 81_920, sizeBytes: bytes.byteLength };
    const report = await inspectDataset({ 'train.uint16.bin': { entry, bytes } });
    expect(report.findings).toMatchObject([{ code: 'file-zero-filled', path: 'train.uint16.bin' }]);
    const dense = await inspectDataset({ 'train.uint16.bin': { entry: { ...entry, allocatedBytes: 200_704 }, bytes } });
    expect(codesOf(dense)).toEqual([]);
    // Rows that are padded with zeros, on a file system that compresses.
    const padded = bytes.map((_, index) => (index % 20_000 < 9000 ? ((index * 7919) >> 3) & 0xff : 0));
    // That most of it takes no space is a note, as a hole could be between the samples.
    expect(codesOf(await inspectDataset({ 'train.uint16.bin': { entry, bytes: padded } }))).toEqual(['file-takes-less-space']);
  });
});

it('a split with a shard that is not readable has no number of its own', async () => {
  const files = fixture('datasets/arrow-dict-fixed');
  const shard = 'packed/train/data-00000-of-00002.arrow';
  const report = await inspectDataset({ ...files, [shard]: unreadable(files[shard] as Uint8Array) });
  expect(report.splits).toMatchObject([
    { name: 'train', shards: 2, samples: null, tokens: null },
    { name: 'validation', shards: 1, samples: 3, tokens: 192 },
  ]);
});

it('zeros inside a file of tokens are not reported as zeros at its ends', async () => {
  const bytes = patternBytes(400_000, 3);
  bytes.fill(0, 100_000, 300_000);
  const report = await inspectDataset({ 'train.uint16.bin': { entry: { allocatedBytes: 200_000 }, bytes } });
  const [found] = report.findings.filter(({ code }) => code === 'file-zero-filled');
  expect(found?.message).toContain('reads as zeros in part or as a whole');
});
