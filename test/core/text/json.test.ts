import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces, toJson } from '../../../src/core/text/json.js';
import { runs } from '../../builders/seed.js';

describe('JSON in pieces', () => {
  it('is the text of the whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (report) => {
        expect([...jsonPieces(report)].join('')).toBe(toJson(report));
      }),
      runs(300),
    );
  });

  it('leaves out what is undefined, as JSON does', () => {
    const report = { a: undefined, b: [{ c: undefined, d: ['\u202e', '\n'] }], e: [] };
    expect([...jsonPieces(report)].join('')).toBe(toJson(report));
  });

  it('has no piece much longer than an entry', () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => ({ index, text: 'x'.repeat(500) }));
    const lengths = [...jsonPieces({ entries })].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(300_000);
    expect(lengths.length).toBeGreaterThan(8);
  });
});
