/** Dataset reports as the panel and the text forms get them: an ordinary one, a huge one, raw text, damage, hostile names. */
import type { DatasetReport, DatasetShard } from '../../src/core/datasets/datasetReport.js';
import { hostileTexts } from './hostileReport.js';

const million = 1_000_000;

/** A tokenized dataset of twelve compressed shards, with a mask that repeats the tokens. */
export function datasetReport(): DatasetReport {
  const shards = Array.from({ length: 12 }, (_, index): DatasetShard => {
    const samples = index === 11 ? 1_024 : index === 4 ? 512 : 8_192;
    return {
      path: `${index < 10 ? 'train' : 'validation'}/shard.${String(index).padStart(5, '0')}.mds.zstd`,
      bytes: samples * 4_100,
      logicalBytes: samples * 12_300,
      samples,
      tokens: samples * 2_048,
      split: index < 10 ? 'train' : 'validation',
    };
  });
  const samples = shards.reduce((sum, shard) => sum + (shard.samples ?? 0), 0);
  const tokens = samples * 2_048;
  const shardBytes = samples * 4_100;
  const column = { values: tokens, bytes: null };
  return {
    schemaVersion: 2,
    kind: 'dataset',
    path: '/data/fineweb-edu/mds',
    layout: 'mds',
    framework: { name: 'mosaicml-streaming', version: '0.13.0' },
    totalBytes: shardBytes + 4_811 + 2_203_239,
    samples,
    sampleCount: {
      count: samples,
      exact: true,
      interval: [samples, samples],
      confidence: 1,
      method: 'sum over the shards, as the index states it',
      basis: 'header',
      coverage: null,
    },
    sampleUnit: 'sample',
    tokens: {
      count: tokens,
      exact: true,
      interval: [tokens, tokens],
      confidence: 1,
      method: 'samples times the length of the array in index.json',
      basis: 'header',
      coverage: null,
    },
    tokenDtype: 'u16',
    bytesPerToken: 2,
    vocabulary: { size: 50_257, source: 'tokenizer.json, model.vocab' },
    bytes: { tokens: samples * 2_100, masks: samples * 1_900, framing: samples * 100, index: 4_811, tokenizer: 2_203_239 },
    columns: [
      {
        ...column,
        name: 'tokens',
        type: 'ndarray:uint16:2048',
        dtype: 'u16',
        role: 'tokens',
        bytes: samples * 2_100,
        logicalBytes: tokens * 2,
      },
      {
        ...column,
        name: 'attention_mask',
        type: 'ndarray:uint8:2048',
        dtype: 'u8',
        role: 'mask',
        bytes: samples * 1_900,
        logicalBytes: tokens,
      },
      { ...column, name: 'source', type: 'str', dtype: null, role: 'value', values: samples, logicalBytes: null },
    ],
    splits: [
      { name: 'train', shards: 10, bytes: sumBytes(shards, 'train'), samples: 74_240, tokens: 74_240 * 2_048 },
      { name: 'validation', shards: 2, bytes: sumBytes(shards, 'validation'), samples: 9_216, tokens: 9_216 * 2_048 },
    ],
    shards,
    lengths: lengthsOf(samples),
    lengthsOnRequest: false,
    padding: {
      tokens: Math.round(tokens * 0.081),
      share: 0.081,
      exact: false,
      method: 'the mask of 200 samples at random places',
    },
    text: null,
    files: [
      ...shards.map(({ path, bytes, samples: own }) => ({
        path,
        bytes,
        format: 'mds',
        role: 'shard',
        kinds: { tokens: (own ?? 0) * 2_100, masks: (own ?? 0) * 1_900, framing: (own ?? 0) * 100 },
      })),
      { path: 'index.json', bytes: 4_811, format: 'json', role: 'index', kinds: { index: 4_811 } },
      { path: 'tokenizer.json', bytes: 2_203_239, format: 'json', role: 'tokenizer', kinds: { tokenizer: 2_203_239 } },
    ],
    facts: [
      { label: 'compression', value: 'zstd:3', path: 'index.json' },
      { label: 'size limit of a shard', value: '67,108,864', path: 'index.json' },
    ],
    findings: [
      {
        code: 'shards-unequal',
        severity: 'note',
        path: 'train/shard.00004.mds.zstd',
        offset: null,
        message: 'Shards have 512 to 8,192 samples.',
        effect: 'Workers that each read one shard finish at different times, and sampling is uneven.',
        advice: 'Write the shards again with a size limit, if each worker reads its own.',
      },
      {
        code: 'columns-repeat-tokens',
        severity: 'note',
        path: null,
        offset: null,
        message: 'attention_mask takes 158.6 MB (45.9 % of the dataset) and has as many values as the tokens.',
        effect: 'They are stored, copied and read, and can be made from the tokens.',
        advice: 'Leave them out and let the collator make them.',
      },
    ],
    checks: { done: ['each shard was compared with the index: size, samples'], notDone: ['the bytes of samples were not read'] },
    io: { bytesRead: 219_402, reads: 16, elapsedMs: 21 },
  };
}

function sumBytes(shards: readonly DatasetShard[], split: string): number {
  return shards.reduce((sum, shard) => sum + (shard.split === split ? shard.bytes : 0), 0);
}

/** Lengths that fall off on both sides of 600 tokens. */
function lengthsOf(count: number): DatasetReport['lengths'] {
  const buckets: NonNullable<DatasetReport['lengths']>['buckets'] = [{ from: 0, to: 0, count: 12 }];
  let rest = count - 12;
  for (let exponent = 5; exponent < 11; exponent += 1) {
    for (let part = 0; part < 16; part += 1) {
      const from = 2 ** exponent + part * 2 ** (exponent - 4);
      const own = Math.min(rest, Math.round(count * 0.028 * Math.exp(-((Math.log(from / 600) / 0.9) ** 2))));
      if (own > 0) buckets.push({ from, to: from + 2 ** (exponent - 4) - 1, count: own });
      rest -= own;
    }
  }
  buckets.push({ from: 2_048, to: 2_175, count: rest });
  return { unit: 'sample', count, minTokens: 0, maxTokens: 2_048, meanTokens: 871.4, medianTokens: 671, empty: 12, buckets };
}

/** Petabytes in 100,000 shards, with lengths left out. */
export function hugeDatasetReport(): DatasetReport {
  const count = 100_000;
  const shards = Array.from({ length: count }, (_, index): DatasetShard => ({
    path: `part-${String(index).padStart(6, '0')}/web_text_document.bin`,
    bytes: index % 9_999 === 77 ? 0 : 600_000 * million,
    logicalBytes: null,
    samples: index % 9_999 === 77 ? 0 : 300 * million,
    tokens: index % 9_999 === 77 ? 0 : 150_000 * million,
    split: null,
  }));
  const totalTokens = shards.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
  const samples = shards.reduce((sum, shard) => sum + (shard.samples ?? 0), 0);
  const base = datasetReport();
  return {
    ...base,
    path: '/lustre/corpora/everything',
    layout: 'megatron-indexed',
    framework: { name: 'Megatron-LM', version: null },
    sampleUnit: 'document',
    totalBytes: totalTokens * 4 + count * 6_000 * million,
    samples,
    sampleCount: {
      count: samples,
      exact: true,
      interval: [samples, samples],
      confidence: 1,
      method: 'the document index of each .idx',
      basis: 'header',
      coverage: null,
    },
    tokens: {
      count: totalTokens,
      exact: true,
      interval: [totalTokens, totalTokens],
      confidence: 1,
      method: 'size of the .bin over the bytes of a token',
      basis: 'header',
      coverage: null,
    },
    tokenDtype: 'i32',
    bytesPerToken: 4,
    vocabulary: null,
    bytes: { tokens: totalTokens * 4, index: count * 6_000 * million },
    columns: [
      {
        name: 'tokens',
        type: 'array<i32>',
        dtype: 'i32',
        role: 'tokens',
        values: totalTokens,
        bytes: totalTokens * 4,
        logicalBytes: totalTokens * 4,
      },
    ],
    splits: [],
    shards,
    lengths: null,
    lengthsOnRequest: true,
    padding: null,
    files: shards.map(({ path, bytes }) => ({
      path,
      bytes,
      format: 'megatron-indexed',
      role: 'tokens',
      kinds: { tokens: bytes },
    })),
    facts: [],
    findings: [],
    checks: { done: ['each .idx was compared with its .bin'], notDone: ['the lengths of all sequences: read them on request'] },
    io: { bytesRead: 8_400_000, reads: 200_000, elapsedMs: 61_200 },
  };
}

/** Raw text, with an estimate. */
export function textDatasetReport(): DatasetReport {
  const count = 1_050_000 * million;
  const base = datasetReport();
  const textBytes = 4_410_000 * million;
  return {
    ...base,
    path: '/data/crawl/2026-10',
    layout: 'jsonl',
    framework: { name: 'JSON lines', version: null },
    sampleUnit: 'line',
    totalBytes: 4_700_000 * million,
    samples: 812_000_000,
    sampleCount: {
      count: 812_000_000,
      exact: false,
      interval: [798_000_000, 826_000_000],
      confidence: 0.95,
      method: 'lines in 400 windows at random places',
      basis: 'sampled',
      coverage: null,
    },
    tokens: {
      count,
      exact: false,
      interval: [1_021_000 * million, 1_079_000 * million],
      confidence: 0.95,
      method: '400 windows at random places were tokenized with tokenizer.json',
      basis: 'sampled',
      coverage: null,
    },
    tokenDtype: null,
    bytesPerToken: null,
    vocabulary: { size: 50_257, source: 'tokenizer.json, model.vocab' },
    bytes: { text: textBytes, framing: 4_700_000 * million - textBytes },
    columns: [
      { name: 'text', type: 'string', dtype: null, role: 'text', values: null, bytes: null, logicalBytes: null },
      { name: 'url', type: 'string', dtype: null, role: 'value', values: null, bytes: null, logicalBytes: null },
    ],
    splits: [],
    shards: base.shards.map((shard) => ({
      ...shard,
      path: shard.path.replace('.mds.zstd', '.jsonl'),
      logicalBytes: null,
      samples: null,
      tokens: null,
      split: null,
    })),
    lengths: null,
    padding: null,
    text: {
      bytes: {
        count: textBytes,
        exact: false,
        interval: [4_380_000 * million, 4_440_000 * million],
        confidence: 0.95,
        method: 'share of text in 400 windows',
        basis: 'sampled',
        coverage: null,
      },
      bytesPerToken: { value: 4.2, low: 4.08, high: 4.33, source: '3.1 MB of this text, tokenized with tokenizer.json' },
      tokenizer: 'tokenizer.json',
      tokenizerError: null,
      tokenized: [
        {
          dtype: 'u16',
          bytes: count * 2,
          interval: [2_042_000 * million, 2_158_000 * million],
          when: 'vocabularies of at most 65,536 tokens',
        },
        { dtype: 'i32', bytes: count * 4, interval: [4_084_000 * million, 4_316_000 * million], when: 'any vocabulary' },
      ],
    },
    files: base.shards.map(({ path, bytes }) => ({
      path: path.replace('.mds.zstd', '.jsonl'),
      bytes,
      format: 'jsonl',
      role: 'text',
      kinds: { text: bytes },
    })),
    facts: [],
    findings: [],
    checks: { done: ['lines at 400 random places are JSON objects'], notDone: ['all other lines were not read'] },
    io: { bytesRead: 27_300_000, reads: 431, elapsedMs: 2_840 },
  };
}

/** The same without a tokenizer: a range from experience. */
export function untokenizedDatasetReport(): DatasetReport {
  const base = textDatasetReport();
  const { tokens, text } = base;
  if (tokens === null || text === null) throw new Error('there is no text');
  return {
    ...base,
    tokens: { ...tokens, confidence: null, method: '4 bytes of text a token, as English has; 2 to 6.5 are found' },
    vocabulary: null,
    text: { ...text, tokenizer: null, tokenizerError: 'odd/tokenizer.json: it has no vocabulary' },
    checks: { ...base.checks, notDone: ['tokenizing with odd/tokenizer.json: it has no vocabulary'] },
  };
}

/** Nothing but one empty file. */
export function emptyDatasetReport(): DatasetReport {
  return {
    ...datasetReport(),
    path: '/data/empty',
    layout: 'text',
    framework: { name: 'text', version: null },
    totalBytes: 0,
    samples: null,
    sampleCount: null,
    sampleUnit: 'line',
    tokens: null,
    tokenDtype: null,
    bytesPerToken: null,
    vocabulary: null,
    bytes: {},
    columns: [],
    splits: [],
    shards: [],
    lengths: null,
    padding: null,
    files: [{ path: 'empty.txt', bytes: 0, format: 'text', role: 'text', kinds: {} }],
    facts: [],
    findings: [],
    checks: { done: [], notDone: [] },
    io: { bytesRead: 0, reads: 0, elapsedMs: 0.3 },
  };
}

/** Texts of an attacker wherever a dataset report has text of files. */
export function hostileDatasetReport(): DatasetReport {
  const texts = Object.values(hostileTexts);
  const at = (index: number): string => texts[index % texts.length] ?? '';
  const base = datasetReport();
  return {
    ...base,
    path: `/data/${at(0)}`,
    framework: { name: at(1), version: at(2) },
    sampleUnit: at(3),
    tokenDtype: at(4),
    vocabulary: { size: 7, source: at(5) },
    columns: base.columns.map((column, index) => ({ ...column, name: at(index), type: at(index + 1), dtype: at(index + 2) })),
    splits: base.splits.map((split, index) => ({ ...split, name: at(index) })),
    shards: base.shards.map((shard, index) => ({ ...shard, path: at(index), split: at(index + 3) })),
    files: base.files.map((file, index) => ({ ...file, path: at(index), format: at(index + 1), role: at(index + 2) })),
    facts: texts.map((text, index) => ({ label: at(index + 1), value: text, path: at(index + 2) })),
    findings: base.findings.map((finding, index) => ({
      ...finding,
      path: at(index),
      message: at(index + 1),
      effect: at(index + 2),
    })),
    checks: { done: texts, notDone: texts },
    tokens: base.tokens === null ? null : { ...base.tokens, method: at(2) },
    padding: base.padding === null ? null : { ...base.padding, method: at(3) },
    lengths: base.lengths === null ? null : { ...base.lengths, unit: at(4) },
  };
}
