/** Tokens of raw text without a tokenizer: by script and size of vocabulary, and sampled by count, never by time. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { scriptMixOf } from '../../../src/core/datasets/text/scriptMix.js';
import { scripts } from '../../../src/core/datasets/text/scriptMix.js';
import { usualRatio } from '../../../src/core/datasets/text/usualRatios.js';
import { inspect, type InspectOptions } from '../../../src/core/inspection/inspect.js';
import { memoryTree } from '../../builders/memoryTree.js';

interface Measured {
  texts: Record<string, { script: string; bytesPerToken: Record<string, number>; excerpt: string }>;
}
const { texts } = JSON.parse(readFileSync('test/fixtures/tokenizers/ratios.json', 'utf8')) as Measured;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const tokenizerJson = new Uint8Array(readFileSync('test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json'));
const small = ['r50k_base', 'llama2'];

async function datasetOf(files: Record<string, Uint8Array>, options: Partial<InspectOptions> = {}): Promise<DatasetReport> {
  const { report } = await inspect(memoryTree('data', files), { path: 'data', ...options });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

const excerptOf = (name: string): string => {
  const text = texts[name]?.excerpt;
  if (text === undefined) throw new Error(`no ${name}`);
  return text;
};

describe.each(Object.entries(texts))('%s', (_, { script, bytesPerToken, excerpt }) => {
  it('is known by its script, mostly', () => {
    const mix = scriptMixOf([excerpt]);
    const total = scripts.reduce((sum, own) => sum + mix[own], 0);
    const most = [...scripts].sort((a, b) => mix[b] - mix[a])[0];
    // Japanese is of kana and of Chinese characters.
    expect(script === 'kana' ? ['kana', 'han'] : [script]).toContain(most);
    expect(Math.abs(total / utf8(excerpt).byteLength - 1)).toBeLessThan(0.02);
  });

  it('took what the range says, with each vocabulary', async () => {
    const report = await datasetOf({ 'a.txt': utf8(excerpt), 'b.txt': utf8(excerpt) });
    const { low, high } = report.text?.bytesPerToken ?? { low: 0, high: 0 };
    for (const [vocabulary, ratio] of Object.entries(bytesPerToken)) {
      expect(ratio, vocabulary).toBeGreaterThanOrEqual(low * 0.999);
      expect(ratio, vocabulary).toBeLessThanOrEqual(high * 1.001);
      const [u16, i32] = report.text?.tokenized ?? [];
      const size = small.includes(vocabulary) ? u16 : i32;
      const bytes = (utf8(excerpt).byteLength * 2 * (small.includes(vocabulary) ? 2 : 4)) / ratio;
      expect(size?.interval[0], vocabulary).toBeLessThanOrEqual(bytes);
      expect(size?.interval[1], vocabulary).toBeGreaterThanOrEqual(bytes);
    }
  });
});

describe('without a tokenizer', () => {
  it('Chinese takes more tokens than as many bytes of English, and the basis says what it rests on', async () => {
    const chinese = await datasetOf({ 'a.txt': utf8(excerptOf('Chinese').repeat(20)) });
    const english = await datasetOf({ 'a.txt': utf8(excerptOf('English').repeat(20)) });
    expect(chinese.text?.bytesPerToken.value).toBeLessThan(2.6);
    expect(english.text?.bytesPerToken.value).toBeGreaterThan(3.9);
    expect(chinese.tokens).toMatchObject({ exact: false, confidence: null, basis: 'assumed' });
    expect(chinese.tokens?.method).toMatch(/^not tokenized: script mix of all of the text \(\d+ % Chinese characters/);
  });

  it('names no more windows than were looked at', async () => {
    const report = await datasetOf({ 'a.txt': utf8(excerptOf('English').repeat(2500)) });
    expect(report.tokens?.method).toMatch(/^not tokenized: script mix of 32 sampled windows \(100 % Latin without accents\)/);
  });

  it('has small and large vocabularies apart', async () => {
    const report = await datasetOf({ 'a.txt': utf8(excerptOf('Chinese').repeat(20)) });
    const [u16, i32] = report.text?.tokenized ?? [];
    expect([u16?.dtype, i32?.dtype]).toEqual(['u16', 'i32']);
    // Fewer tokens of a larger vocabulary: less than twice the bytes.
    expect(i32?.bytes).toBeLessThan(1.5 * (u16?.bytes ?? 0));
    expect((u16?.bytes ?? 0) / 2).toBeGreaterThan((i32?.bytes ?? 0) / 4);
  });

  it('a mixed corpus lies between its parts, weighted by its bytes', async () => {
    const [chinese, english] = [utf8(excerptOf('Chinese').repeat(40)), utf8(excerptOf('English').repeat(40))];
    const tokensOf = async (files: Record<string, Uint8Array>): Promise<number> => (await datasetOf(files)).tokens?.count ?? 0;
    const apart = (await tokensOf({ 'a.txt': chinese })) + (await tokensOf({ 'b.txt': english }));
    const together = await tokensOf({ 'a.txt': chinese, 'b.txt': english });
    expect(Math.abs(together / apart - 1)).toBeLessThan(0.01);
  });

  it('has wider ranges than each size of vocabulary by itself', () => {
    for (const script of scripts) {
      const [own, all] = [usualRatio(script, 'small'), usualRatio(script, 'unknown')];
      expect(all.low <= own.low && own.low < own.value && own.value < own.high && own.high <= all.high, script).toBe(true);
    }
  });
});

describe('sampling', () => {
  const lines = Array.from({ length: 3000 }, (_, id) =>
    JSON.stringify({ id, text: `car ${id} shar vem `.repeat((id % 37) + 1) }),
  );
  const files = { 'a.jsonl': utf8(`${lines.join('\n')}\n`), 'tokenizer.json': tokenizerJson };

  it('gives the same report however slow the machine is', async () => {
    let ms = 0;
    const fast = await datasetOf(files, { sampling: { wholeBytes: 0, windows: 12 }, now: () => 0 });
    const loaded = await datasetOf(files, { sampling: { wholeBytes: 0, windows: 12 }, now: () => (ms += 60_000) });
    expect(loaded.tokens).toEqual(fast.tokens);
    expect(loaded.text).toEqual(fast.text);
  });

  it('ends by the number of bytes, and says how many they are', async () => {
    const sampling = { wholeBytes: 0, windows: 100, windowBytes: 1000, tokenizedBytes: 10_000 };
    const report = await datasetOf(files, { sampling });
    const places = Number(/at (\d+) random places/.exec(report.tokens?.method ?? '')?.[1]);
    expect(places).toBeGreaterThanOrEqual(16);
    expect(places).toBeLessThan(40);
  });

  it('says where a limit of time cut it', async () => {
    let ms = 0;
    const sampling = { wholeBytes: 0, windows: 100, milliseconds: 50 };
    const report = await datasetOf(files, { sampling, now: () => (ms += 10) });
    expect(report.tokens?.method).toMatch(
      /at [1-9] random places: .*; cut after 0\.05 s, so another run may give other numbers$/,
    );
  });

  it('with a tokenizer never has a wider range than without one', async () => {
    const texts = [excerptOf('English'), excerptOf('Chinese'), 'x'.repeat(4000), excerptOf('Code')];
    const mixed = Array.from({ length: 400 }, (_, id) =>
      JSON.stringify({ text: (texts[id % 4] ?? '').slice(0, 1 + ((id * 7919) % 3000)) }),
    );
    const data = { 'a.jsonl': utf8(`${mixed.join('\n')}\n`) };
    for (const windows of [1, 2, 3, 5, 16]) {
      const sampling = { wholeBytes: 0, windows, windowBytes: 2000 };
      const counted = await datasetOf({ ...data, 'tokenizer.json': tokenizerJson }, { sampling });
      const assumed = await datasetOf(data, { sampling });
      const widthOf = ({ tokens }: DatasetReport): number => (tokens?.interval[1] ?? Infinity) - (tokens?.interval[0] ?? 0);
      expect(counted.text?.tokenizer).toBe('tokenizer.json');
      expect(widthOf(counted), `${windows} windows`).toBeLessThanOrEqual(widthOf(assumed));
    }
  });
});
