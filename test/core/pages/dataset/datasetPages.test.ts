/** Terminal and Markdown forms of datasets, and the numbers in them. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { LengthCounter } from '../../../../src/core/datasets/lengthHistogram.js';
import { parseAmount } from '../../../../src/core/text/amounts.js';
import { datasetHeadlineOf } from '../../../../src/core/pages/dataset/datasetHeadline.js';
import { confidenceInWords } from '../../../../src/core/pages/dataset/datasetLines.js';
import { lengthBins } from '../../../../src/core/pages/dataset/lengthBins.js';
import { renderMarkdown } from '../../../../src/core/pages/reportMarkdown.js';
import { summarizeShards } from '../../../../src/core/pages/dataset/shardSummary.js';
import { renderTerminal } from '../../../../src/core/pages/reportTerminal.js';
import type { DatasetReport } from '../../../../src/core/datasets/datasetReport.js';
import {
  datasetReport,
  emptyDatasetReport,
  hostileDatasetReport,
  hugeDatasetReport,
  textDatasetReport,
} from '../../../builders/datasetReports.js';
import { runs } from '../../../builders/seed.js';

const terminal = (report: DatasetReport): string => renderTerminal(report, { width: 80, color: false });

describe('headline', () => {
  it('of tokens that are stored', () => {
    expect(datasetHeadlineOf(datasetReport())).toMatchObject({
      what: '170,917,888 tokens in 83,456 samples.',
      how: 'Tokens are stored as uint16, 2 bytes each. 49 % of the bytes are not tokens.',
    });
  });

  it('of raw text gives the tokenized size with its range', () => {
    expect(datasetHeadlineOf(textDatasetReport())).toMatchObject({
      what: 'About 1.05 T tokens (1.02 T to 1.08 T) in about 812 M lines.',
      how: 'Tokenized it will take about 2.1 TB (uint16) or 4.2 TB (int32); 2.04 TB to 2.16 TB as uint16.',
    });
  });

  it('of nothing', () => {
    expect(datasetHeadlineOf(emptyDatasetReport())).toMatchObject({ what: 'The number of tokens is not known.', how: '' });
  });

  it('forms the plural of a unit', () => {
    const one = { ...datasetReport(), samples: 1, sampleUnit: 'entry' };
    expect(datasetHeadlineOf(one).what).toMatch(/in 1 entry\.$/);
    expect(datasetHeadlineOf({ ...one, samples: 2 }).what).toMatch(/in 2 entries\.$/);
  });
});

describe('terminal', () => {
  it('has columns, splits, shards, lengths, padding and vocabulary', () => {
    const text = terminal(datasetReport());
    for (const part of [
      'attention_mask',
      'validation',
      'Odd: train/shard.00004',
      'Lengths: 83,456 samples',
      'Padding: 13.8 M tokens, 8.1 %',
      'Vocabulary: 50,257 tokens',
    ])
      expect(text).toContain(part);
  });

  it('says how an estimate is known', () => {
    expect(terminal(textDatasetReport())).toContain(
      'Tokens: about 1.05 T, 1.02 T to 1.08 T, with 95 % confidence, from a sample: 400 windows at random places were tokenized',
    );
  });

  it('does not list a hundred thousand shards', () => {
    const text = terminal(hugeDatasetReport());
    expect(text.split('\n').length).toBeLessThan(40);
    expect(text).toContain('100,000 shards, median 600 GB, from 0 B to 600 GB. Odd: ');
    expect(text).toContain('Not checked: the lengths of all sequences');
  });

  it('shows an empty one', () => {
    expect(terminal(emptyDatasetReport())).toContain('0 B (0 B): The number of tokens is not known.');
  });
});

describe('the words for a range', () => {
  const whole = { counted: 4, of: 4, unit: 'shards' };
  it.each([
    [{ confidence: 0.95, basis: 'sampled', coverage: whole }, 'with 95 % confidence'],
    [{ confidence: 1, basis: 'content', coverage: whole }, 'all of it was read'],
    [{ confidence: 1, basis: 'header', coverage: whole }, 'a bound'],
    [{ confidence: null, basis: 'header', coverage: null }, 'a bound'],
    [{ confidence: null, basis: 'assumed', coverage: whole }, 'a typical range'],
    [{ confidence: null, basis: 'sampled', coverage: { ...whole, counted: 3 } }, 'a bound for what could not be read'],
  ] as const)('%o', (count, words) => {
    expect(confidenceInWords(count)).toBe(words);
  });

  it('say that a dtype is a guess', () => {
    const report = datasetReport();
    const tokens = report.tokens === null ? null : { ...report.tokens, exact: false, basis: 'assumed' as const };
    expect(datasetHeadlineOf({ ...report, tokens }).how).toContain('Tokens are probably stored as uint16');
  });
});

describe('text from files', () => {
  it('cannot hide, turn or break the lines around it', () => {
    // oxlint-disable-next-line no-control-regex -- that none is there is what is tested
    expect(terminal(hostileDatasetReport())).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });

  it('stays text in Markdown', () => {
    const markdown = renderMarkdown(hostileDatasetReport());
    expect(markdown.replaceAll(/`[^`\n]*`/g, '')).not.toMatch(/(?<!\\)<(img|script|a)/i);
  });
});

describe('shards', () => {
  it('the last of a split may be small, others may not', () => {
    expect([...(summarizeShards(datasetReport().shards)?.odd.keys() ?? [])]).toEqual([4]);
  });

  it('have the mean of the middle two as their median, where there is no middle one', () => {
    const shards = [10, 20, 30, 60].map((bytes, at) => ({
      path: `${at}`,
      bytes,
      logicalBytes: null,
      samples: 1,
      tokens: null,
      split: null,
    }));
    expect(summarizeShards(shards)?.medianBytes).toBe(25);
  });

  it('empty ones are odd however few there are', () => {
    const [shard] = datasetReport().shards;
    if (shard === undefined) throw new Error('there are shards');
    expect(summarizeShards([{ ...shard, samples: 0 }])?.odd.get(0)).toEqual({ kind: 'empty' });
    expect(summarizeShards([])).toBeNull();
  });
});

describe('bins of lengths', () => {
  it('hold every sample once, in order, from the shortest to the longest', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(100), fc.nat(3_000_000)), { minLength: 1, maxLength: 300 }), (lengths) => {
        const counter = new LengthCounter();
        for (const length of lengths) counter.add(length);
        const histogram = counter.histogram('sequence');
        if (histogram === null) throw new Error('there are lengths');
        const bins = lengthBins(histogram);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(lengths.length);
        expect(bins.length).toBeLessThanOrEqual(36);
        expect(bins.at(-1)?.to).toBe(histogram.maxTokens);
        expect(bins[0]?.from).toBe(histogram.minTokens);
        bins.forEach((bin, index) => {
          expect(bin.to).toBeGreaterThanOrEqual(bin.from);
          expect(bin.from).toBeGreaterThan(bins[index - 1]?.to ?? -1);
        });
      }),
      runs(100),
    );
  });
});

it.each([
  ['15T', 15e12],
  ['2.69e6', 2_690_000],
  ['2.69M', 2_690_000],
  ['1,000,000', 1_000_000],
  ['8k', 8_000],
  ['8192', 8_192],
  ['', null],
  ['-1', null],
  ['1e', null],
  ['1.2.3', null],
  ['12 GiB', null],
])('amount %s', (text, value) => {
  expect(parseAmount(text)).toBe(value);
});
