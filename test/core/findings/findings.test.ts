import { describe, expect, it } from 'vitest';
import { describeFinding, describeFindings } from '../../../src/core/findings/describeFindings.js';
import type { Finding, FindingCode } from '../../../src/core/findings/finding.js';
import { findingTable } from '../../../src/core/findings/findingTable.js';

const exampleOf = (code: FindingCode): Finding => ({ code, facts: findingTable[code].example ?? undefined }) as Finding;

describe('words', () => {
  it.each(Object.keys(findingTable) as FindingCode[])('%s', (code) => {
    const { message, effect, advice } = describeFinding(exampleOf(code));
    for (const words of [message, effect, advice]) {
      expect(words.length).toBeGreaterThan(10);
      expect(words).toMatch(/[.!?]$/);
      // What the finding itself is about is no number that failed to be made.
      const rest = code.includes('values-not-finite')
        ? words.replace(/^3 NaN and 1 Inf |makes the parameter NaN|(?:is|are) NaN or Inf/, '')
        : words;
      expect(rest).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  it('have sizes to the byte where they would look the same', () => {
    const messageOf = (bytes: number): string =>
      describeFinding({ code: 'file-changed', facts: { expectedBytes: 1_234_567_890, bytes } }).message;
    expect(messageOf(999)).toContain('1.23 GB when listed, 999 B when read');
    expect(messageOf(1_234_567_891)).toContain('1,234,567,890 bytes when listed, 1,234,567,891 bytes when read');
  });

  it('name what declares a size', () => {
    const facts = { expectedBytes: 2_000, bytes: 1_000 };
    expect(describeFinding({ code: 'file-truncated', facts }).message).toContain('header declares 2 kB, file has 1 kB');
    const { message } = describeFinding({ code: 'file-truncated', facts: { ...facts, declaredBy: 'index' } });
    expect(message).toContain('index declares 2 kB');
  });

  it('differ where a reader broke off and where the header declares a size', () => {
    expect(describeFinding({ code: 'file-truncated', facts: { detail: 'the header is cut' } }).message).toContain(
      'the header is cut',
    );
    const { message } = describeFinding({ code: 'file-truncated', facts: { expectedBytes: 0, bytes: 0 } });
    expect(message).toContain('0 bytes');
  });
});

it('facts are those of the code', () => {
  const findings: Finding[] = [
    { code: 'file-empty' },
    { code: 'file-zero-filled', path: 'a', offset: 0, facts: { bytes: 1 } },
    // @ts-expect-error -- a fact is missing
    { code: 'file-changed', facts: { bytes: 1 } },
    // @ts-expect-error -- no facts
    { code: 'file-zero-filled' },
    // @ts-expect-error -- a fact of another name
    { code: 'file-zero-filled', facts: { byte: 1 } },
    // @ts-expect-error -- a fact in words
    { code: 'file-zero-filled', facts: { bytes: '1 byte' } },
    // @ts-expect-error -- facts of a code that has none
    { code: 'file-empty', facts: { bytes: 1 } },
    // @ts-expect-error -- no such code
    { code: 'file-full' },
  ];
  expect(findings).toHaveLength(8);
});

it('errors come first, and the rest of a kind is counted', () => {
  const notes = Array.from({ length: 60 }, (_, index): Finding => ({
    code: 'link-not-followed',
    path: `${index}`,
    facts: { target: 'x' },
  }));
  const reports = describeFindings([...notes, { code: 'file-empty', path: 'a' }]);
  expect(reports[0]).toMatchObject({ code: 'file-empty', severity: 'error', path: 'a', offset: null });
  expect(reports.at(-1)?.message).toMatch(/^\d+ more of the same kind\.$/);
  expect(reports.length).toBeLessThan(60);
});
