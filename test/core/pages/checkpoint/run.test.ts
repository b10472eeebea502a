/** A run and a save by many ranks in words: the headline, the terminal, Markdown. */
import { loadsAsSaved } from '../../../../src/core/checkpoints/reshard.js';
import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { renderMarkdown } from '../../../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../../../src/core/pages/reportTerminal.js';
import { ranksReport } from '../../../builders/ranksReport.js';
import { runReport } from '../../../builders/runReport.js';

const terminal = (report: Parameters<typeof renderTerminal>[0]): string => renderTerminal(report, { width: 100, color: false });

describe('a run', () => {
  it('says how many checkpoints it has and which one the verdict is about', () => {
    const { why, resume } = headlineOf(runReport());
    expect(why).toMatch(/^3 checkpoints from step 500 to step 1,500, 1 unfinished: \d+\.\d % /);
    expect(resume).toMatch(/^The newest that was finished is checkpoint-1000\. Resumes without /);
    expect(resume).toContain('The newest that is complete is checkpoint-500.');
  });

  it('of finished checkpoints has just a newest one', () => {
    const report = runReport();
    report.run?.checkpoints.pop();
    expect(headlineOf(report).why).toMatch(/^2 checkpoints from step 500 to step 1,000: /);
    expect(headlineOf(report).resume).toMatch(/^The newest is checkpoint-1000\. /);
  });

  it('calls a bare number a step, and what lies beside the checkpoints the model', () => {
    const report = runReport();
    const [first] = report.run?.checkpoints ?? [];
    if (report.run === undefined || first === undefined) throw new Error('no checkpoints');
    report.run.checkpoints = [{ ...first, path: '1500' }];
    expect(headlineOf(report)).toMatchObject({
      why: expect.stringMatching(/^1 checkpoint of step 500: /) as string,
      resume: expect.stringMatching(/^The newest is step 1,500\. /) as string,
    });
    report.run.checkpoints = [{ ...first, path: '', step: null }];
    expect(headlineOf(report).why).toMatch(/^1 checkpoint: /);
    expect(headlineOf(report).resume).toMatch(/^The newest is the model here\. /);
  });

  it('none of which was finished has no newest one', () => {
    const report = runReport();
    for (const checkpoint of report.run?.checkpoints ?? []) checkpoint.finished = false;
    expect(headlineOf(report).resume).toMatch(/^Resumes without /);
  });

  it('is a table with a head in the terminal, and pointers below', () => {
    const lines = terminal(runReport()).split('\n');
    const head = lines.findIndex((line) => /^ +step +size +state +written \(UTC\) +checkpoint$/.test(line));
    expect(lines.slice(head + 1, head + 6).map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))).toEqual([
      '500 | 112 GB | complete | 2026-03-14 15:09 | checkpoint-500',
      '1,000 | 112 GB | partial | 2026-03-14 15:09 | checkpoint-1000',
      '1,500 | 60 GB | unfinished | 2026-03-14 15:09 | checkpoint-1500',
      'latest → checkpoint-1500',
      'best → checkpoint-700 (missing)',
    ]);
  });

  it('shows the newest checkpoints where there are many', () => {
    const report = runReport();
    const [first] = report.run?.checkpoints ?? [];
    if (report.run === undefined || first === undefined) throw new Error('no checkpoints');
    report.run.checkpoints = Array.from({ length: 300 }, (_, step) => ({ ...first, step, path: `step-${step}` }));
    expect(terminal(report)).toMatch(/270 older: see --json\n[\s\S]*\bstep-299\n/);
    expect(terminal(report)).not.toMatch(/\bstep-269\b/);
    expect(renderMarkdown(report)).toMatch(/`step-299`/);
  });

  it('is a table in Markdown', () => {
    const markdown = renderMarkdown(runReport());
    expect(markdown).toContain('| step | size | state | written (UTC) | checkpoint |');
    expect(markdown).toContain('| 1,500 | 60 GB | unfinished | 2026-03-14 15:09 | `checkpoint-1500` |');
    expect(markdown).toContain('- best → checkpoint\\-700 \\(missing\\)');
  });
});

describe('a save by many ranks', () => {
  const reshard = loadsAsSaved('Only eight ranks can load it.');

  it('says whether another job can load it', () => {
    const report = ranksReport(8);
    report.resume.reshard = reshard;
    expect(headlineOf(report).resume).toMatch(/ Only eight ranks can load it\.$/);
  });

  it('says nothing of other jobs where one rank saved it, or nothing can be loaded', () => {
    const single = ranksReport(1);
    single.resume.reshard = reshard;
    expect(headlineOf(single).resume).not.toContain('Only eight');
    const broken = ranksReport(8);
    broken.resume = { ...broken.resume, verdict: 'broken', reshard };
    expect(headlineOf(broken).resume).not.toContain('Only eight');
  });

  it('names the odd one in the terminal', () => {
    expect(terminal(ranksReport(16, { 5: 1_000_000 }))).toContain('Ranks: 16, rank 5 has 1 MB, 99.9 % less than usual');
    expect(terminal(ranksReport(1))).not.toContain('Ranks:');
  });
});
