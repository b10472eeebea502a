import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { checkpointVerdict } from '../../../src/core/pages/reportVerdict.js';
import { sampleReport } from '../../builders/sampleReport.js';

const report = sampleReport();

function withVerdict(verdict: CheckpointReport['resume']['verdict'], findings = report.findings): CheckpointReport {
  return { ...report, findings, resume: { ...report.resume, verdict } };
}

describe('the verdict of a checkpoint', () => {
  it('is as grave as the gravest of its findings, which it names', () => {
    const { severity, text, more } = checkpointVerdict(withVerdict('complete'));
    const error = report.findings.find((finding) => finding.severity === 'error');
    expect(error).toBeDefined();
    expect(severity).toBe('error');
    expect(text).toMatch(/^Resume: complete/);
    expect(more).toContain(error?.message ?? '');
  });

  it.each([
    ['complete', 'fine'],
    ['weights-only', 'fine'],
    ['partial', 'warning'],
    ['unknown', 'warning'],
    ['none', 'note'],
    ['state-only', 'note'],
    ['broken', 'error'],
  ] as const)('%s without findings is %s', (verdict, severity) => {
    expect(checkpointVerdict(withVerdict(verdict, []))).toMatchObject({ severity, more: '' });
  });
});
