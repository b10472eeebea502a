import { describe, expect, it } from 'vitest';
import { renderComparisonTerminal } from '../../../../src/core/pages/plan/planTerminal.js';
import { verificationPage } from '../../../../src/core/pages/verification/verificationPage.js';
import type { VerificationReport, VerifiedFile } from '../../../../src/core/verification/verification.js';
import { verificationReport } from '../../../builders/verificationReport.js';

const sample = verificationReport('/m');
const file = (path: string): VerifiedFile => sample.files.find((one) => one.path === path) ?? expect.fail(path);
const reportOf = (files: VerifiedFile[], more: Partial<VerificationReport> = {}): VerificationReport => ({
  ...sample,
  files,
  failed: files.filter(({ status }) => status === 'changed' || status === 'missing').length,
  unverifiable: files.filter(({ status }) => status === 'unverifiable').length,
  ...more,
});

describe('the page of a verification', () => {
  it('has what failed first, with the place and its tensors', () => {
    const { decision, reasons, table } = verificationPage(sample);
    expect(decision).toBe('2 of 4 files failed: 1 changed and 1 missing. No checksum covers 1 file.');
    expect(reasons).toEqual(['Read 9.26 GB, 1.52 GB a second.']);
    expect(table.rows.map(([path]) => path)).toEqual(['optimizer.pt', 'rng_state.pth', 'config.json', 'model.safetensors']);
    expect(table.rows[0]?.slice(2)).toEqual([
      'changed',
      '99.9 %',
      'CRC-32 of the archive',
      'data/17 of the archive: CRC-32 does not match, in state.4.exp_avg and state.4.exp_avg_sq (bytes 1,048,576 to 10,485,760)',
    ]);
  });

  it('claims no more than the checksums cover', () => {
    const half = { ...file('model.safetensors'), bytes: 2e9, coverage: { bytes: 1e9, of: 2e9 } };
    expect(verificationPage(reportOf([half, file('config.json')])).decision).toBe(
      '1 file compared, none failed: checksums cover 1 GB of 2 GB. No checksum covers 1 file.',
    );
    expect(verificationPage(reportOf([file('config.json')])).decision).toBe(
      'No checksum covers any of 1 file: nothing was compared.',
    );
    expect(verificationPage(reportOf([])).decision).toBe('No files are here.');
  });

  it('counts files that the manifest does not list only where they were compared', () => {
    const loose = { ...file('config.json'), status: 'extra' as const, by: [], coverage: { bytes: 0, of: 5 } };
    expect(verificationPage(reportOf([file('model.safetensors'), loose, { ...loose, path: 'b' }])).decision).toMatch(
      /^1 file compared, none failed: .*\. No checksum covers 2 files\. The manifest does not list 2 files\.$/,
    );
    expect(verificationPage(reportOf([loose])).decision).toBe(
      'No checksum covers any of 1 file: nothing was compared. The manifest does not list 1 file.',
    );
  });

  it('has counts that add up where directories cannot be listed', () => {
    expect(verificationPage(reportOf([file('optimizer.pt')], { failed: 2 })).decision).toBe(
      '1 of 1 file failed: 1 changed. Not all files could be listed.',
    );
    expect(verificationPage(reportOf([file('model.safetensors')], { failed: 1 })).decision).toBe(
      'Not all files could be listed.',
    );
  });

  it.each([40, 100, 300])('has all that failed in a terminal of %i columns', (width) => {
    const text = renderComparisonTerminal(verificationPage(sample), { width, color: false }).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'optimizer.pt: data/17 of the archive: CRC-32 does not match, in state.4.exp_avg and state.4.exp_avg_sq (bytes 1,048,576 to 10,485,760)',
    );
  });

  it('gives no rate of a few bytes', () => {
    expect(verificationPage(reportOf([file('config.json')], { bytesHashed: 5000, bytesPerSecond: 4e6 })).reasons).toEqual([
      'Read 5 kB.',
    ]);
  });
});
