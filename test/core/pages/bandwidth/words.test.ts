import { describe, expect, it } from 'vitest';
import { checkErrorCodes } from '../../../../src/core/bandwidth/checkError.js';
import { fileSystemName } from '../../../../src/core/bandwidth/fileSystemKind.js';
import { previewCheck } from '../../../../src/core/bandwidth/checkPreview.js';
import { latencyTable } from '../../../../src/core/pages/bandwidth/bandwidthTables.js';
import { renderBandwidthMarkdown } from '../../../../src/core/pages/bandwidth/bandwidthMarkdown.js';
import { renderBandwidthTerminal } from '../../../../src/core/pages/bandwidth/bandwidthTerminal.js';
import { checkErrorInWords } from '../../../../src/core/pages/bandwidth/checkErrorWords.js';
import { warningInWords, otherCheckInWords, previewLines } from '../../../../src/core/pages/bandwidth/previewLines.js';
import { bandwidthReport, checkSettings, fileSystemFacts, savedFiles, targetFacts } from '../../../builders/bandwidthCheck.js';

const hostile = '/data/<b>|x`\u202egnp';

describe('what a check says before it starts', () => {
  it('says what is written, where, how often, how long, and that it is removed', () => {
    const preview = previewCheck(checkSettings({ replayOf: '/data/runs/step-10' }), targetFacts(), {
      replayOf: '/data/runs/step-10',
      files: savedFiles,
    });
    expect(previewLines(preview)).toEqual([
      '10 files of 614 MB at most (4.29 GB in all) by 8 streams, in blocks of 4 MiB, into a new folder in /data/runs.',
      'Written, synced, read back, removed; 3 times. Then 1,000 small files, one after another. At most 30 s.',
      'Scaled to 3.8 % of the 112 GB in 10 files of /data/runs/step-10.',
      'Never more than 4.29 GB at once. All of it is removed at the end, also when the check is cancelled or fails.',
    ]);
  });

  it('says the same of several nodes, and that a store charges for requests', () => {
    const object = targetFacts({
      path: 's3://bucket/runs',
      fileSystem: fileSystemFacts({ type: 's3', freeBytes: null, freeFiles: null }),
    });
    const lines = previewLines(previewCheck(checkSettings({ repeats: 1 }), object, null, 4), 4).join('\n');
    expect(lines).toContain('from each of 4 nodes, into a new folder in s3://bucket/runs');
    expect(lines).toContain('removed; once. At most 30 s.');
    expect(lines).toContain('Never more than 4.29 GB at once.');
    expect(lines).toContain('charge for, every request');
  });

  it('says what a sweep and a sustained rate write, and within which bounds', () => {
    const asked = checkSettings({ sizeBytes: 1e9, streams: 2, sweepStreams: [1, 2, 4], isSustained: true, sustainedBytes: 50e9 });
    const lines = previewLines(previewCheck(asked, targetFacts(), null));
    expect(lines.slice(2)).toEqual([
      'Then a sweep: 1, 2 and 4 streams write and sync, through the cache and past it where that is possible, each 3 times and at most 4.29 GB a time. At most 30 s more.',
      'Last, the sustained rate: 2 streams write without a pause until the rate has fallen and settled, at most 50 GB and 5 minutes. Files are removed as new ones are written. The whole check takes at most 6 minutes.',
      'Never more than 4.29 GB at once. All of it is removed at the end, also when the check is cancelled or fails.',
    ]);
  });

  it('has words for errors that fit a bucket as they fit a directory', () => {
    expect(checkErrorInWords('not-found', '')).toContain('bucket or container');
    expect(checkErrorInWords('io', '')).not.toContain('file system');
  });

  it('says nothing of what is refused', () => {
    expect(previewLines(previewCheck(checkSettings({ streams: 0 }), targetFacts(), null))).toEqual([]);
  });

  it('has words for warnings and for other checks', () => {
    expect(warningInWords({ code: 'login-node', reason: 'its name begins with login' })).toContain('its name begins with login');
    expect(warningInWords({ code: 'shared-file-system', name: 'Lustre' })).toContain('Lustre is shared');
    const other = { path: '/data/x', startedAt: '2026-01-01T00:00:00Z', host: 'a', bytes: 5e9, files: 3 };
    const said = (['running', 'elsewhere', 'left'] as const).map((state) => otherCheckInWords({ ...other, state }));
    expect(new Set(said).size).toBe(3);
    for (const line of said) expect(line).toMatch(/\/data\/x \(3 files, 5 GB/);
    expect(otherCheckInWords({ ...other, uploads: 8, state: 'left' })).toContain('5 GB, 8 unfinished uploads with parts, begun');
    expect(otherCheckInWords({ ...other, state: 'left', host: null })).not.toMatch(/ on |null/);
  });
});

describe('what a check says when it fails', () => {
  it.each(checkErrorCodes)('has words for %s', (code) => {
    expect(checkErrorInWords(code, '')).toMatch(/^[A-Z].*\.$/s);
  });
});

describe('a report of a check', () => {
  const report = bandwidthReport({ replayOf: hostile, intervalSeconds: 1800 }, { path: hostile });

  it('is shown in a terminal with its verdict, repeats, operations and doubts', () => {
    const text = renderBandwidthTerminal(report, { width: 100, color: false });
    for (const part of [
      'Writes 2.1 GB/s',
      'write 1',
      'read 3',
      'fsync a large file',
      'rename it',
      'not exhaust a burst',
      '3 times',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('\u202e');
  });

  it('names operations by what was moved at once: a block, or a whole file that is smaller', () => {
    const report = bandwidthReport();
    const first = (largestFileBytes: number): unknown =>
      latencyTable({ ...report, shape: { ...report.shape, blockBytes: 4 * 2 ** 20, largestFileBytes } }).rows[0]?.[0];
    expect(first(2 ** 30)).toBe('write 4 MiB');
    expect(first(112 * 1024)).toBe('write 112 KiB');
  });

  it('is exported as Markdown in which a name is text', () => {
    const text = renderBandwidthMarkdown(report);
    expect(text).toContain('| write 1 |');
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('\u202e');
  });
});

describe('names of file systems', () => {
  it.each([
    ['ext4', null, 'node'],
    ['lustre', '10.0.0.1@tcp:/scratch', 'shared'],
    ['fuse.gcsfuse', 'bucket', 'object'],
    ['fuse', 'mountpoint-s3', 'object'],
    ['fuse', 'x', 'unknown'],
    ['constructor', null, 'unknown'],
  ])('%s from %s is %s', (type, source, kind) => {
    expect(fileSystemName({ type, source }).kind).toBe(kind);
  });
});
