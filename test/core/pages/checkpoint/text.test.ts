import { describe, expect, it } from 'vitest';
import { markdownCode, markdownText } from '../../../../src/core/text/displayText.js';
import { visibleText } from '../../../../src/core/text/visibleText.js';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { renderMarkdown } from '../../../../src/core/pages/reportMarkdown.js';
import { segmentsOf } from '../../../../src/core/checkpoints/segments.js';
import { renderTerminal } from '../../../../src/core/pages/reportTerminal.js';
import { formatBinaryBytes, formatBytes, formatCount, formatShare, formatShortCount } from '../../../../src/core/text/units.js';
import { hostileReport } from '../../../builders/hostileReport.js';
import type { CheckpointReport } from '../../../../src/core/checkpoints/checkpointReport.js';
import type { ComponentId } from '../../../../src/core/tensors/component.js';
import { findingCounts } from '../../../../src/core/pages/findingCounts.js';
import { emptyReport } from '../../../builders/emptyReport.js';
import { sampleReport } from '../../../builders/sampleReport.js';

describe('numbers', () => {
  it.each([
    [0, '0 B', '0 B'],
    [999, '999 B', '999 B'],
    [1_000, '1 kB', '1,000 B'],
    [1_023, '1.02 kB', '1,023 B'],
    [1_024, '1.02 kB', '1 KiB'],
    [999_960, '1 MB', '977 KiB'],
    [2 ** 30, '1.07 GB', '1 GiB'],
    [128_501_592_299, '129 GB', '120 GiB'],
    [1.5e15, '1.5 PB', '1.33 PiB'],
    [5.681947e12, '5.68 TB', '5.17 TiB'],
    [1_023.4 * 2 ** 30, '1.1 TB', '1,020 GiB'],
    [4.2e21, '4,200 EB', '3,640 EiB'],
  ])('%d bytes', (bytes, decimal, binary) => {
    expect(formatBytes(bytes)).toBe(decimal);
    expect(formatBinaryBytes(bytes)).toBe(binary);
  });

  it('counts and shares', () => {
    expect(formatCount(8_030_261_248)).toBe('8,030,261,248');
    expect(formatShortCount(8_030_261_248)).toBe('8.03 B');
    expect(formatShare(0.5714)).toBe('57.1 %');
    expect(formatShare(0.0001)).toBe('< 0.1 %');
  });
});

describe('text of files', () => {
  it('shows what would turn or hide text', () => {
    expect(visibleText('a\u202eb\u0000c\u001b[31m\u200b')).toBe('a\\u202eb\\u0000c\\u001b[31m\\u200b');
  });
  it('stays text in Markdown', () => {
    expect(markdownText('<b>*x*</b> [a](b) | c')).toBe('\\<b\\>\\*x\\*\\</b\\> \\[a\\]\\(b\\) \\| c');
    expect(markdownCode('a`b``c')).toBe('``` a`b``c ```');
    expect([markdownCode('a|b'), markdownCode('a\\|<img onerror=x>')]).toEqual(['`a\\|b`', '`a\\\\u007c<img onerror=x>`']);
  });
});

const missing = (...components: ComponentId[]) => components.map((component) => ({ component, effect: '' }));

describe('forms of a report', () => {
  it('the headline names the largest parts first and the sum', () => {
    expect(headlineOf(sampleReport()).why).toMatch(/^\d+\.\d % .+; \d+\.\d\d bytes per parameter\.$/);
  });

  it('the verdict says what it rests on where not all files were read', () => {
    const report = sampleReport();
    report.resume = { ...report.resume, coverage: { counted: 3, of: 4, unit: 'files' } };
    expect(headlineOf(report).resume).toContain(' (from headers, 3 of 4 files)');
    report.resume = { ...report.resume, basis: 'names' };
    expect(headlineOf(report).resume).toContain(' (from names alone, 3 of 4 files)');
  });

  it.each<[string, Partial<CheckpointReport['resume']>, string]>([
    ['of a whole state', { verdict: 'complete' }, 'Resume: complete.'],
    [
      'without parts',
      { verdict: 'partial', missing: missing('scheduler', 'rng', 'dataLoader') },
      'Resumes without LR scheduler, RNG state and data-loader position: the learning-rate schedule restarts, random numbers differ, data order restarts.',
    ],
    [
      'without a part that has no effect of its own',
      { verdict: 'partial', missing: missing('weights') },
      'Resumes without weights.',
    ],
    ['of weights', { verdict: 'weights-only' }, 'Resume: weights only. The weights load, but no optimizer state was saved.'],
    ['of nothing', { verdict: 'broken' }, 'Resume: fails (no weights).'],
    [
      'that is damaged',
      { verdict: 'broken', present: ['optimizer'], blockedBy: ['rng-count-differs'] },
      'Resume: fails (1 error).',
    ],
    ['that does not load', { verdict: 'broken', present: [], blockedBy: ['rng-count-differs'] }, 'Load: fails (1 error).'],
  ])('the headline states how training resumes: from a checkpoint %s', (_name, resume, sentence) => {
    const report = sampleReport();
    expect(
      headlineOf({ ...report, topology: { ...report.topology, worldSize: 1 }, resume: { ...report.resume, ...resume } }).resume,
    ).toBe(sentence);
  });

  it('counts findings, or the checks that found nothing', () => {
    const { findings, checks } = sampleReport();
    expect(findingCounts({ findings, checks })).toBe('1 error, 1 warning, 1 note');
    expect(findingCounts({ findings: [], checks })).toBe('No problems in 4 checks; 2 checks not done');
    expect(findingCounts({ findings: [], checks: { done: ['one'], notDone: [] } })).toBe('No problems in 1 check');
    expect(findingCounts({ findings: [], checks: { done: [], notDone: [] } })).toBe('No checks were done');
  });

  it('segments sum to the total', () => {
    for (const report of [sampleReport(), emptyReport()]) {
      expect(segmentsOf(report).reduce((sum, segment) => sum + segment.bytes, 0)).toBe(report.totalBytes);
    }
  });

  it('a hostile report stays text in the terminal and in Markdown', () => {
    const terminal = renderTerminal(hostileReport(), { width: 80, color: false });
    // oxlint-disable-next-line no-control-regex -- nothing of the file may reach the terminal as a control character
    expect(terminal).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
    const markdown = renderMarkdown(hostileReport());
    expect(markdown.replace(/`+[^\n]*?`+/g, '')).not.toMatch(/(^|[^\\])<script/);
  });

  it('every bar is as wide as it was asked to be', () => {
    const bar = renderTerminal(sampleReport(), { width: 60, color: false })
      .split('\n')
      .find((line) => /^[█▓▒░]+$/.test(line));
    expect(bar).toHaveLength(60);
  });
});
