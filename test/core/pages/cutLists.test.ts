/** Lists that end before what they list does: the worst stays, and what is left out is said with its severity. */
import { describe, expect, it } from 'vitest';
import type { FindingReport } from '../../../src/core/findings/finding.js';
import { describeFindings, limitFindings } from '../../../src/core/findings/describeFindings.js';
import type { Severity } from '../../../src/core/findings/defineFinding.js';
import { blockingFindings } from '../../../src/core/pages/checkpoint/headline.js';
import { estimateHover } from '../../../src/core/pages/estimate/estimateHover.js';
import { mostSevere } from '../../../src/core/pages/findingCounts.js';
import { renderMarkdown } from '../../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../../src/core/pages/reportTerminal.js';
import { collectionReport } from '../../builders/collectionReports.js';
import { emptyReport } from '../../builders/emptyReport.js';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';
import { runReport } from '../../builders/runReport.js';

const terminal = (report: Parameters<typeof renderTerminal>[0]): string => renderTerminal(report, { width: 100, color: false });

function finding(code: string, severity: Severity, path: string, more?: number): FindingReport {
  const words = { message: `${code} of ${path}.`, effect: 'It matters.', advice: 'Do this.' };
  return { code, severity, path, offset: null, ...words, ...(more === undefined ? {} : { more }) };
}

const many = (count: number, code: string, severity: Severity): FindingReport[] =>
  Array.from({ length: count }, (_, at) => finding(code, severity, `${code}-${at}`));

/** Notes come first, as in a list that nobody sorted; one error of another kind is behind fifty of one kind. */
const unsorted = [
  ...many(60, 'a-note', 'note'),
  finding('a-note', 'note', 'others', 940),
  ...many(50, 'first-error', 'error'),
  finding('last-error', 'error', 'z.pkl'),
  ...many(3, 'a-warning', 'warning'),
];

describe('findings', () => {
  it('beyond the room are the mildest, but no kind of error is left out', () => {
    const { shown, rest } = mostSevere(unsorted, 20);
    expect(shown).toHaveLength(20);
    expect(shown.every(({ severity }) => severity === 'error')).toBe(true);
    expect(shown.map(({ code }) => code)).toContain('last-error');
    expect(rest).toBe('1,034 more (31 errors, 3 warnings, 1,000 notes)');
  });

  it('all of one code each are shown where they are errors, however many', () => {
    const errors = Array.from({ length: 30 }, (_, at) => finding(`error-${at}`, 'error', 'a'));
    expect(mostSevere([...many(5, 'a-note', 'note'), ...errors], 20)).toMatchObject({ shown: errors, rest: '5 more (5 notes)' });
  });

  it('that fit are the worst first, and nothing is left out', () => {
    const few = [...many(2, 'a-note', 'note'), ...many(2, 'an-error', 'error')];
    expect(mostSevere(few, 4)).toEqual({ shown: [...few.slice(2), ...few.slice(0, 2)], rest: '' });
  });

  it.each(['terminal', 'Markdown'] as const)('in the %s', (face) => {
    const report = { ...emptyReport(), findings: unsorted };
    const text = face === 'terminal' ? terminal(report) : renderMarkdown(report);
    expect(text).toMatch(/Findings: 51 errors, 3 warnings, 1,000 notes/);
    expect(text).toMatch(/last.*error of z/);
    expect(text).toMatch(face === 'terminal' ? /1,034 more \(31 errors/ : /1,014 more \(11 errors, 3 warnings, 1,000 notes\)\./);
  });

  it('stand before tables in Markdown: an assistant gets the beginning', () => {
    const markdown = renderMarkdown({ ...emptyReport(), findings: unsorted });
    expect(markdown.indexOf('### Findings')).toBeLessThan(markdown.indexOf('| component |'));
    const collection = renderMarkdown(collectionReport());
    expect(collection.indexOf('### Findings')).toBeLessThan(collection.indexOf('| part |'));
  });

  it('on a hover over a config', async () => {
    const { report } = await estimateText('config.json', llamaConfig());
    const found = (severity: 'error' | 'warning' | 'note', message: string) =>
      ({ code: 'value-unusable', severity, key: 'a', message, advice: '' }) as const;
    const hovered = { ...report, findings: [found('note', 'one'), found('note', 'two'), found('error', 'three')] };
    const card = estimateHover(hovered, { key: 'a', effect: null }, { plan: 'p', why: 'w' });
    expect(card).toContain('three');
    expect(card).toContain('1 more (1 note)');
  });

  it('that keep a checkpoint from being loaded are counted before the cut', () => {
    const findings = describeFindings(Array.from({ length: 120 }, (_, at) => ({ code: 'file-empty' as const, path: `${at}` })));
    expect(blockingFindings({ resume: { ...emptyReport().resume, blockedBy: ['file-empty'] }, findings })).toBe(120);
  });
});

it('of calls of several reports the ones that do most stay', () => {
  const calls = (text: string, count: number): FindingReport[] =>
    describeFindings(
      Array.from({ length: count }, (_, at) => ({
        code: 'pickle-calls-unexpected' as const,
        path: `${text}-${at}`,
        facts: { call: `${text}(${at})` },
      })),
    );
  const limited = limitFindings([...calls('math.sqrt', 50), ...calls('math.cos', 30), ...calls('posix.system', 2)]);
  expect(limited.slice(0, 2).map(({ message }) => message)).toEqual([
    'Unexpected call in a pickle: posix.system(0).',
    'Unexpected call in a pickle: posix.system(1).',
  ]);
  expect(limited.at(-1)).toMatchObject({ more: 32 });
});

it.each(['terminal', 'Markdown'] as const)('parts with errors are shown before larger ones in the %s', (face) => {
  const report = collectionReport();
  const [first] = report.parts;
  if (first === undefined) throw new Error('no parts');
  const part = (at: number, findings: (typeof first)['findings']) => ({
    ...first,
    path: `p${at}/m`,
    totalBytes: 1_000 - at,
    findings,
  });
  report.parts = Array.from({ length: 100 }, (_, at) => part(at, at === 99 ? { error: 2 } : at > 90 ? { warning: 1 } : {}));
  const text = face === 'terminal' ? terminal(report) : renderMarkdown(report);
  expect(text).toContain('p99/m');
  expect(text).toContain('p91/m');
  expect(text).toContain(
    face === 'terminal' ? '40 more (no errors or warnings): see --json' : '60 more (no errors or warnings).',
  );
  for (const each of report.parts) each.findings = { error: 1, warning: 1 };
  const all = face === 'terminal' ? terminal(report) : renderMarkdown(report);
  expect(all).toContain(face === 'terminal' ? '40 more (40 errors and 40 warnings)' : '60 more (60 errors and 60 warnings)');
});

it.each(['terminal', 'Markdown'] as const)('checkpoints of a run that fail are shown before newer ones in the %s', (face) => {
  const report = runReport();
  const [first] = report.run?.checkpoints ?? [];
  if (report.run === undefined || first === undefined) throw new Error('no checkpoints');
  report.run.checkpoints = Array.from({ length: 100 }, (_, step) => ({
    ...first,
    step,
    path: `step-${step}`,
    verdict: step === 3 ? 'broken' : 'complete',
  }));
  const render = (): string => (face === 'terminal' ? terminal(report) : renderMarkdown(report));
  expect(render()).toMatch(/\bstep-3\b/);
  expect(render()).toContain(face === 'terminal' ? '70 older: see --json' : '60 older.');
  for (const checkpoint of report.run.checkpoints) checkpoint.verdict = 'broken';
  expect(render()).toContain(face === 'terminal' ? '70 older (70 fail): see --json' : '60 older (60 fail).');
});

it('imports that are not named are counted', () => {
  const report = emptyReport();
  report.pickleImports = Array.from({ length: 14 }, (_, at) => ({
    name: `socket.name${at}`,
    files: 1,
    expected: false,
    kind: 'unexpected',
    paths: ['a.pkl'],
  }));
  expect(terminal(report)).toMatch(/14 unexpected: socket\.name0, .*, socket\.name9 and 4 more$/m);
});
