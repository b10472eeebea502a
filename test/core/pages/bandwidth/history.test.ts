import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { readHistory, writeHistory } from '../../../../src/core/bandwidth/bandwidthHistory.js';
import { changeInWords, historyCsv, historyTable } from '../../../../src/core/pages/bandwidth/historyTable.js';
import { readBandwidthReport } from '../../../../src/core/bandwidth/readBandwidthReport.js';
import { bandwidthReport } from '../../../builders/bandwidthCheck.js';

const report = bandwidthReport();

describe('history of a directory', () => {
  it('reads back what it wrote', () => {
    const read = readHistory(writeHistory([report, report]));
    expect(read.map(readBandwidthReport)).toEqual([report, report]);
  });

  it('keeps the newest of too many', () => {
    const numbers = Array.from({ length: limits.bandwidthHistory + 5 }, (_none, index) => index);
    expect(readHistory(writeHistory(numbers))).toEqual(numbers.slice(5));
  });

  it('takes a damaged file for an empty one', () => {
    const text = writeHistory([report]);
    const damaged = ['', 'null', '[]', '{}', '{"reports":{}}', '{"reports":"text"}', '7', text.slice(0, 400)];
    for (const one of damaged) expect(readHistory(one), one).toEqual([]);
  });
});

describe('historyTable', () => {
  it('says how each result differs from the one before', () => {
    expect(changeInWords(undefined, 1)).toBe('');
    expect(changeInWords(0, 1)).toBe('');
    expect(changeInWords(2e9, 1e9)).toBe('−50 %');
    expect(changeInWords(2e9, 2.001e9)).toBe('0 %');
    expect(changeInWords(2e9, 2.5e9)).toBe('+25 %');
    const { rows } = historyTable([report, report]);
    expect(rows).toEqual([
      ['2026-01-02 03:04 UTC', '2.1 GB/s', '0 %', '3.4 GB/s', '0 %', '4.29 GB', '8'],
      ['2026-01-02 03:04 UTC', '2.1 GB/s', '', '3.4 GB/s', '', '4.29 GB', '8'],
    ]);
  });
});

describe('historyCsv', () => {
  it('quotes, and lets no cell be a formula', () => {
    const [header, row] = historyCsv([{ ...report, path: '=cmd("a,b")' }]).split('\r\n');
    expect(header?.split(',')).toHaveLength(12);
    expect(row).toContain(`"'=cmd(""a,b"")"`);
    expect(row?.startsWith('2026-01-02T03:04:05.678Z,')).toBe(true);
  });
});
