import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { checkpointVerdict, collectionVerdict } from '../../../src/core/pages/reportVerdict.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { hubCacheTree, readHubCacheFixture } from '../../builders/hubCache.js';
import { sortedFindings } from '../../../src/core/pages/findingCounts.js';
import { sampleReport } from '../../builders/sampleReport.js';

const report = sampleReport();

function withVerdict(verdict: CheckpointReport['resume']['verdict'], findings = report.findings): CheckpointReport {
  return { ...report, findings, resume: { ...report.resume, verdict } };
}

describe('the verdict of a collection', () => {
  it('begins with what is the matter with the directory, and counts that of its parts', async () => {
    const { report } = await inspect(hubCacheTree(readHubCacheFixture('hub').files), { path: '/cache/hub' });
    if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}`);
    const [worst] = sortedFindings(report);
    const { severity, text, more } = collectionVerdict(report);
    expect(severity).toBe(worst?.severity);
    expect(text).toMatch(/^\d+ (?:errors?|warnings?).* here\.$/);
    expect(more).toContain(worst?.message ?? 'no warning');
    expect(more).toMatch(/ in .*parts?/);
    const fine = { ...report, findings: [], parts: report.parts.map((part) => ({ ...part, findings: {} })) };
    expect(collectionVerdict(fine)).toMatchObject({ severity: 'fine', more: '' });
  });
});

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
