import { describe, expect, it } from 'vitest';
import { FormatError, type FormatErrorCode } from '../../../src/core/bytes/formatError.js';
import { findingOfError } from '../../../src/core/findings/findingOfError.js';

describe('the finding of an error', () => {
  it.each<[FormatErrorCode, string, string]>([
    ['not-this-format', 'file-not-its-format', 'shard-not-its-format'],
    ['truncated', 'file-truncated', 'shard-truncated'],
    ['corrupt', 'header-corrupt', 'shard-corrupt'],
    ['limit-exceeded', 'header-too-large', 'header-too-large'],
    ['unsupported', 'unsupported-version', 'unsupported-version'],
    ['io', 'file-unreadable', 'file-unreadable'],
  ])('names damage: %s', (code, ofFile, ofShard) => {
    const error = new FormatError(code, 'why', { offset: 8 });
    expect(findingOfError(error, 'file')).toEqual({ code: ofFile, offset: 8, facts: { detail: 'why' } });
    expect(findingOfError(error, 'shard')).toEqual({ code: ofShard, offset: 8, facts: { detail: 'why' } });
  });

  it('has no offset where the error has none', () => {
    expect(findingOfError(new FormatError('io', 'gone'), 'file')).toEqual({ code: 'file-unreadable', facts: { detail: 'gone' } });
  });

  it('is a mistake of the program for every other error', () => {
    const finding = { code: 'internal-error', facts: { detail: 'RangeError: too deep' } };
    expect(findingOfError(new RangeError('too deep'), 'shard')).toEqual(finding);
    expect(findingOfError('odd', 'file')).toEqual({ code: 'internal-error', facts: { detail: 'odd' } });
  });

  it('lets a cancellation through', () => {
    const error = new FormatError('cancelled', 'the inspection was cancelled');
    expect(() => findingOfError(error, 'file')).toThrow(error);
  });
});
