import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { isEntryName, logText, parseLog, withEntry, type LogEntry } from '../../../../src/core/verification/log/verifiedLog.js';
import { valuesEntry, verifyEntry } from '../../../builders/logEntry.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';

const validate = compileSchemaFile('docs/stowage-verified.schema.json');
const written = (entries: readonly object[], more: object = {}): string =>
  JSON.stringify({ kind: 'stowage-verified', schemaVersion: 1, entries, ...more });
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

describe('a log of verifications', () => {
  it('is read as it was written, by its schema', () => {
    const entries = [verifyEntry(), valuesEntry(), verifyEntry({ name: 'a "b"\u202e', manifest: '/x/y' })];
    expect(parseLog(logText(entries))).toEqual(entries);
    expect(schemaErrors(validate, JSON.parse(logText(entries)))).toEqual([]);
    expect(logText(entries)).not.toContain('\u202e');
  });

  it('keeps the last of a kind and name', () => {
    const first = withEntry([], verifyEntry({ at: at(1) }));
    const both = withEntry(first, valuesEntry({ at: at(2) }));
    expect(withEntry(both, verifyEntry({ at: at(3), failed: 1 }))).toEqual([
      valuesEntry({ at: at(2) }),
      verifyEntry({ at: at(3), failed: 1 }),
    ]);
  });

  it('lets the oldest names go beyond verifiedNames, and never the new one', () => {
    const full = Array.from({ length: limits.verifiedNames }, (_, index) => [
      verifyEntry({ name: `n${index}`, at: at(2 * index) }),
      valuesEntry({ name: `n${index}`, at: at(2 * index + 1) }),
    ]).flat();
    // A clock that was set back.
    const grown = withEntry(full, verifyEntry({ name: 'new', at: at(0) }));
    expect(new Set(grown.map(({ name }) => name)).size).toBe(limits.verifiedNames);
    expect(grown.at(-1)?.name).toBe('new');
    expect(grown.some(({ name }) => name === 'n0')).toBe(false);
    expect(parseLog(logText(grown))).toHaveLength(2 * limits.verifiedNames - 1);
  });

  it('is never written larger than verifiedLogBytes', () => {
    const long = (index: number): LogEntry =>
      verifyEntry({ name: `n${index}`, manifest: '\u0001'.repeat(32_000), at: at(index) });
    const entries = Array.from({ length: 40 }, (_, index) => long(index));
    const text = logText(entries);
    expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(limits.verifiedLogBytes);
    const kept = parseLog(text);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.at(-1)).toEqual(long(39));
  });

  it.each<[string, string, string]>([
    ['no JSON', '{"kind": "stowage-veri', 'it is no JSON'],
    ['a file of another program', '{"verified": true}', 'no log of verifications of version 1'],
    ['another version', written([], { schemaVersion: 2 }), 'no log of verifications of version 1'],
    ['entries that are no list', written([], { entries: {} }), 'no log of verifications of version 1'],
    ['a name that leads out', written([verifyEntry({ name: '..' })]), 'entry 1 does not fit: name'],
    ['a path in place of a name', written([verifyEntry(), verifyEntry({ name: '../x' })]), 'entry 2 does not fit: name'],
    ['an absolute path', written([verifyEntry({ name: '/x' })]), 'entry 1 does not fit: name'],
    ['an empty name', written([verifyEntry({ name: '' })]), 'entry 1 does not fit: name'],
    ['a name without end', written([verifyEntry({ name: 'x'.repeat(256) })]), 'entry 1 does not fit: name'],
    ['a negative count', written([verifyEntry({ failed: -1 })]), 'entry 1 does not fit: failed'],
    ['a count that is no whole number', written([valuesEntry({ tensors: 0.5 })]), 'entry 1 does not fit: tensors'],
    ['a count beyond exact numbers', written([valuesEntry({ bytesRead: 2 ** 53 })]), 'entry 1 does not fit: bytesRead'],
    ['a time that no clock shows', written([verifyEntry({ at: '2026-99-99T12:00:00.000Z' })]), 'entry 1 does not fit: at'],
    ['a time in words', written([verifyEntry({ at: 'yesterday' })]), 'entry 1 does not fit: at'],
    [
      'a digest of another length',
      written([verifyEntry({ state: { files: 1, newestMs: 1, digest: 'ff' } })]),
      'entry 1 does not fit: state',
    ],
    ['another kind of reading', written([{ ...verifyEntry(), what: 'compare' }]), 'entry 1 does not fit: what'],
    ['two of a kind and name', written([verifyEntry(), valuesEntry(), verifyEntry()]), 'entry 3 is a second one'],
    ['nesting without end', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'it is no'],
  ])('is refused as a whole: %s', (_what, text, message) => {
    expect(() => parseLog(text)).toThrow(message);
  });

  it('of more entries than verifiedNames has is refused before they are looked at', () => {
    const entries = Array.from({ length: 2 * limits.verifiedNames + 1 }, () => 0);
    expect(() => parseLog(written(entries as never))).toThrow('4001 entries, more than 4000');
  });

  it('takes keys of objects as any other text', () => {
    const text = written([verifyEntry()]).replace('"name":', '"__proto__": {"failed": 7}, "name":');
    expect(parseLog(text)).toEqual([verifyEntry()]);
    expect(isEntryName('__proto__')).toBe(true);
    for (const name of ['.', '..', 'a/b', 'a\\b', '', 'a\0']) expect(isEntryName(name), name).toBe(false);
  });
});
