/** The estimate of raw text: inside of its interval as often as it says, bounded, repeatable. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inspect, type InspectOptions } from '../../../src/core/inspection/inspect.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { estimateRatio, studentQuantile } from '../../../src/core/datasets/text/ratioEstimate.js';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { createTokenizer, type TextTokenizer } from '../../../src/core/datasets/text/tokenizer.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { frameworkCases, type DatasetTruth } from '../golden/frameworkCases.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';
import { repeatedSource } from '../../builders/repeatedSource.js';
import { isExhaustive, runs } from '../../builders/seed.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const tokenizerJson = new Uint8Array(readFileSync('test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json'));
const small: InspectOptions['sampling'] = { wholeBytes: 0, windows: 24, windowBytes: 600, milliseconds: 60_000 };

function tokenizerOf(): TextTokenizer {
  const tokenizer = createTokenizer('tokenizer.json', JSON.parse(new TextDecoder().decode(tokenizerJson)));
  if (typeof tokenizer === 'string') throw new Error(tokenizer);
  return tokenizer;
}

async function datasetOf(
  files: Record<string, MemoryFile>,
  options: Partial<InspectOptions> = {},
  log?: ReadLog,
): Promise<DatasetReport> {
  const { report } = await inspect(memoryTree('data', files, log), { path: 'data', ...options });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

interface RawTextTruth extends DatasetTruth {
  perFile?: { tokens: number }[];
}

const rawText = frameworkCases<RawTextTruth>('dataset').filter(({ truth }) => truth.tokensExact === false);

describe.each(rawText)('$name', ({ path, truth }) => {
  it('has the true count inside of the interval, over 20 seeds', async () => {
    let inside = 0;
    // The sum of the CSV case leaves its text file out.
    const inFiles = (truth.perFile ?? []).reduce((sum, file) => sum + file.tokens, 0);
    const tokens = truth.layoutId === undefined ? inFiles : (truth.tokens ?? 0);
    for (let seed = 1; seed <= 20; seed++) {
      const { report } = await inspect(await createNodeFileTree(path), { path, sampling: { ...small, seed } });
      if (report.kind !== 'dataset' || report.tokens === null) throw new Error('no estimate');
      expect(report.tokens.confidence).toBe(0.95);
      const [low, high] = report.tokens.interval;
      if (low <= tokens && tokens <= (high ?? 0)) inside += 1;
    }
    expect(inside).toBeGreaterThanOrEqual(19);
  });
});

describe('sampling', () => {
  const random = createRandom(7);
  const words = Array.from({ length: 400 }, () => Math.floor(random() * 1e6).toString(36));
  const document = (): string =>
    Array.from({ length: 20 + Math.floor(random() ** 4 * 2000) }, () => words[Math.floor(random() * 400)]).join(' ');
  const lines = Array.from({ length: 3000 }, (_, id) => JSON.stringify({ id, text: document() }));
  const file = utf8(`${lines.join('\n')}\n`);
  const tokenizer = tokenizerOf();
  const sizes = lines.map((line) => tokenizer.count((JSON.parse(line) as { text: string }).text));
  const tokens = sizes.reduce((sum, size) => sum + size, 0);

  // The interval holds 19 of 20 times: these seeds are fixed, because others may by chance hold it less often.
  const seeds = isExhaustive ? 60 : 12;

  it('keeps its word on documents of very different lengths: 19 of 20, as far as the seeds tell', async () => {
    let inside = 0;
    let insideDocuments = 0;
    const windows = { wholeBytes: 0, windows: 32, windowBytes: 4000, milliseconds: 1e6 };
    for (let seed = 1; seed <= seeds; seed++) {
      // Larger than what is counted in full would take too long here: the sampled path is asked for by the limit on whole text.
      const report = await datasetOf({ 'a.jsonl': file, 'tokenizer.json': tokenizerJson }, { sampling: { ...windows, seed } });
      const [low, high] = report.tokens?.interval ?? [0, 0];
      if (low <= tokens && tokens <= (high ?? 0)) inside += 1;
      if (report.samples === 3000) insideDocuments += 1;
    }
    expect(inside).toBeGreaterThanOrEqual(Math.ceil(0.9 * seeds));
    expect(insideDocuments).toBe(seeds);
  });

  it('gives the same report for the same seed', async () => {
    const files = { 'a.jsonl': file, 'tokenizer.json': tokenizerJson };
    const sampling = { wholeBytes: 0, windows: 8, seed: 5 };
    const [first, second, other] = [
      await datasetOf(files, { sampling }),
      await datasetOf(files, { sampling }),
      await datasetOf(files, { sampling: { ...sampling, seed: 6 } }),
    ];
    expect(first?.tokens).toEqual(second?.tokens);
    expect(first?.tokens).not.toEqual(other?.tokens);
  });

  it('stops when its time is up, and says what it did', async () => {
    let now = 0;
    const report = await datasetOf(
      { 'a.jsonl': file, 'tokenizer.json': tokenizerJson },
      { sampling: { wholeBytes: 0, windows: 100, milliseconds: 50 }, now: () => (now += 10) },
    );
    expect(report.tokens?.method).toMatch(/at [1-9] random places/);
  });

  it('can be cancelled before, while lines are parsed', async () => {
    const line = `${JSON.stringify({ text: 'words '.repeat(20) })}\n`;
    const tree = memoryTree('x', { 'a.jsonl': utf8(line.repeat(5e6 / line.length)) });
    const abort = new AbortController();
    let pauses = 0;
    let samples = 0;
    const inspection = inspect(tree, {
      path: 'x',
      signal: abort.signal,
      onProgress: ({ sampling }) => (samples += sampling === undefined ? 0 : 1),
      pause: () => {
        if (++pauses === 10) abort.abort();
        return Promise.resolve();
      },
    });
    await expect(inspection).rejects.toMatchObject({ code: 'cancelled' });
    expect([pauses, samples]).toEqual([10, 0]);
  });

  it('can be cancelled between two windows', async () => {
    const abort = new AbortController();
    let pauses = 0;
    const pause = (): Promise<void> => {
      if (++pauses === 3) abort.abort();
      return Promise.resolve();
    };
    const running = datasetOf({ 'a.jsonl': file }, { sampling: { wholeBytes: 0 }, pause, signal: abort.signal });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(pauses).toBe(3);
  });
});

describe('text larger than what is counted in full', () => {
  /** 10 GB of the same lines, none of them in memory. */
  const line = utf8(`${JSON.stringify({ text: 'car shar vem neal '.repeat(50) })}\n`);
  const lines = 10_000_000;
  const source = repeatedSource('big.jsonl', line, lines);

  it('is sampled, in few reads', async () => {
    const log: ReadLog = { reads: [] };
    const report = await datasetOf(
      { 'big.jsonl': source, 'tokenizer.json': tokenizerJson },
      { sampling: { milliseconds: 1e6 } },
      log,
    );
    const tokens = lines * tokenizerOf().count('car shar vem neal '.repeat(50));
    expect(report.tokens?.interval[0]).toBeLessThanOrEqual(report.tokens?.count ?? 0);
    expect(Math.abs((report.tokens?.count ?? 0) / tokens - 1)).toBeLessThan(0.02);
    expect(report.samples).toBeGreaterThan(lines * 0.97);
    expect(report.samples).toBeLessThan(lines * 1.03);
    expect(log.reads.length).toBeLessThan(400);
    expect(report.io.bytesRead).toBeLessThan(12_000_000);
    expect(report.text?.tokenized.map(({ dtype }) => dtype)).toEqual(['u16', 'i32']);
  });

  it('takes what tokenizers take of its script without one, and no confidence is claimed', async () => {
    const report = await datasetOf({ 'big.jsonl': source });
    expect(report.tokens).toMatchObject({ exact: false, confidence: null });
    const { value = 0, low = 0, high = 0 } = report.text?.bytesPerToken ?? {};
    // Between vocabularies of 32,000 and of 200,000 tokens: 4 and 4.4, of 2.3 to 6.5 (usualRatios.ts).
    expect(value).toBeCloseTo(4.2, 1);
    expect([Math.round(low * 10) / 10, Math.round(high * 10) / 10]).toEqual([2.3, 6.5]);
  });

  it('copes with one line of a gigabyte', async () => {
    const endless = {
      ...source,
      name: 'endless.jsonl',
      sizeBytes: 1e9,
      read: (_: number, length: number) => Promise.resolve(new Uint8Array(length).fill(0x61)),
    };
    const report = await datasetOf({ 'endless.jsonl': endless });
    expect(report.totalBytes).toBe(1e9);
    expect(report.io.bytesRead).toBeLessThan(5_000_000);
    expect(report.findings.map(({ code }) => code)).not.toContain('internal-error');
  });

  it('takes compressed files by their beginnings', async () => {
    const content = gzipSync(
      utf8(Array.from({ length: 2_000 }, (_, id) => JSON.stringify({ id, text: `car ${id} shar vem` })).join('\n')),
    );
    const padded = { ...repeatedSource('x.jsonl.gz', content, 100_000), sizeBytes: 100_000_000 };
    const report = await datasetOf({ 'x.jsonl.gz': padded });
    expect(report.totalBytes).toBe(100_000_000);
    expect(report.findings.map(({ code }) => code)).not.toContain('internal-error');
  });
});

describe('records', () => {
  const one = async (name: string, content: string | Uint8Array): Promise<DatasetReport> =>
    datasetOf({ [name]: typeof content === 'string' ? utf8(content) : content, 'tokenizer.json': tokenizerJson });

  it('takes CRLF, a byte order mark, blank lines and a last line without a break', async () => {
    const report = await one('a.jsonl', '\ufeff{"text":"car"}\r\n\r\n  \n{"text":"shar"}');
    expect([report.samples, report.text?.bytes.count]).toEqual([2, 7]);
    expect(report.findings).toEqual([]);
  });

  it('counts tokens that are there as numbers', async () => {
    const report = await one('a.jsonl', '{"input_ids":[1,2,3]}\n{"input_ids":[4]}\n');
    expect(report.tokens).toMatchObject({ count: 4, exact: true });
  });

  it('reads chat messages, lists of records and unnamed text', async () => {
    const chat = await one(
      'a.jsonl',
      '{"messages":[{"role":"user","content":"car"},{"role":"assistant","content":[{"type":"text","text":"shar"}]}]}\n',
    );
    const list = await one('alpaca.json', '[{"instruction":"car","output":"shar"},{"instruction":"x","output":"y"}]');
    const odd = await one('a.jsonl', '{"k":"a","zz":"longer"}\n{"k":"a","zz":"longer"}\n');
    expect([chat.text?.bytes.count, list.samples, list.text?.bytes.count, odd.text?.bytes.count]).toEqual([7, 2, 9, 12]);
  });

  it('says which line is damaged, and that text is no UTF-8', async () => {
    const damaged = await one('a.jsonl', '{"text":"car"}\n{"text":"sh\n{"text":"vem"}\n');
    expect(damaged.findings).toMatchObject([{ code: 'line-corrupt', offset: 15 }]);
    const latin = await one('a.jsonl', Uint8Array.of(...utf8('{"text":"caf'), 0xe9, ...utf8('"}\n')));
    expect(latin.findings.map(({ code }) => code)).toEqual(['text-encoding']);
    const wide = await one('a.jsonl', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x22, 0));
    expect(wide.findings.map(({ code }) => code)).toEqual(['unsupported-version']);
  });

  it('reads quoted fields of CSV with line breaks, separators and doubled quotes', async () => {
    const report = await one('a.csv', 'id,text\r\n1,"a ""b"",\nc"\r\n2,d\r\n');
    expect([report.samples, report.text?.bytes.count]).toEqual([2, 9]);
    expect((await one('a.tsv', 'text\tn\nab\t1\n')).text?.bytes.count).toBe(2);
    expect((await one('a.csv', 'text\n"open')).findings.map(({ code }) => code)).toEqual(['line-corrupt']);
  });

  it('of no bytes are counted as none, which is not exact: a copy may have been cut', async () => {
    const report = await one('train.jsonl', '');
    expect(report).toMatchObject({ samples: 0, sampleCount: { exact: false, interval: [0, null] }, tokens: null });
    expect(report.findings.map(({ code }) => code)).toEqual(['shard-empty']);
  });

  it('leaves JSON files of one document alone', async () => {
    const weights = Array.from({ length: 80 }, (_, index) => ({ name: `conv/${index}`, shape: [3, 3], dtype: 'float32' }));
    const nodes = Array.from({ length: 60 }, () => ({ name: 'n', input: ['a'], output: ['b'] }));
    for (const document of [JSON.stringify([{ paths: ['group1-shard1of1'], weights }]), JSON.stringify({ version: 1, nodes })]) {
      const { report } = await inspect(memoryTree('d', { 'pose_1.json': utf8(document) }), { path: 'd' });
      expect(report.kind).toBe('checkpoint');
    }
    expect(await one('docs.json', `[{"text":"${'word '.repeat(400)}"}]`)).toMatchObject({ layout: 'jsonl', samples: 1 });
  });

  it('leaves documents alone that are not looked at before they are read', async () => {
    const record = '{"text":"hello there"}\n{"text":"b"}\n'.repeat(20);
    const settings = JSON.stringify({ a: 1, b: { c: [1, 2] } }, null, 2);
    const files = Array.from({ length: 2100 }, (_, index) => [`r/${index}.json`, utf8(index < 10 ? record : settings)]);
    const report = await datasetOf(Object.fromEntries(files) as Record<string, Uint8Array>);
    expect(report).toMatchObject({ samples: 400, sampleCount: { exact: true } });
    expect(report.findings.map(({ code }) => code)).not.toContain('line-corrupt');
  });

  it('leaves settings and notes alone', async () => {
    const long = `{${Array.from({ length: 200 }, (_, index) => `"key_${index}": ${index}`).join(', ')}}`;
    const one = await inspect(memoryTree('x', { 'summary.json': utf8(long) }), { path: 'x' });
    expect(one.report.kind).toBe('checkpoint');
    for (const name of ['config.json', 'README.txt', 'requirements.txt', 'index.json', 'settings.json']) {
      const { report } = await inspect(memoryTree('x', { [name]: utf8('{\n "a": 1\n}\n') }), { path: 'x' });
      expect(report.kind, name).toBe('checkpoint');
    }
  });
});

describe('a tokenizer', () => {
  const root = JSON.parse(new TextDecoder().decode(tokenizerJson)) as Record<string, unknown>;

  it('is not run with an unknown expression', () => {
    const split = { type: 'Split', pattern: { Regex: '(a+)+$' }, behavior: 'Isolated', invert: false };
    expect(createTokenizer('t', { ...root, pre_tokenizer: { type: 'Sequence', pretokenizers: [split] } })).toContain(
      'split text',
    );
  });

  it('is refused in words where it is none', () => {
    for (const broken of [
      null,
      1,
      'x',
      [],
      {},
      { model: null },
      { model: { type: 'BPE' } },
      { ...root, model: { type: 'Nope', vocab: {} } },
    ])
      expect(typeof createTokenizer('t', broken)).toBe('string');
  });

  it('survives any JSON in place of its parts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(root)), fc.json(), (key, json) => {
        const made = createTokenizer('t', { ...root, [key]: JSON.parse(json) as unknown });
        if (typeof made !== 'string') expect(made.count('car shar')).toBeGreaterThanOrEqual(0);
      }),
      runs(150),
    );
  });
});

describe('the ratio', () => {
  it('has the quantiles of Student’s t', () => {
    for (const [degrees, confidence, expected] of [
      [1, 0.95, 12.706],
      [2, 0.95, 4.303],
      [5, 0.95, 2.571],
      [30, 0.95, 2.042],
      [63, 0.99, 2.656],
    ] as const)
      expect(studentQuantile(degrees, confidence)).toBeCloseTo(expected, 2);
  });

  it('is narrow where all windows are alike, and empty without a sample', () => {
    const estimate = estimateRatio(
      Array.from({ length: 20 }, () => ({ x: 2, y: 4 })),
      4000,
      0.95,
    );
    expect(estimate).toEqual({ count: 8000, low: 7984, high: 8016 });
    expect(estimateRatio([], 4, 0.95)).toBeNull();
  });
});
