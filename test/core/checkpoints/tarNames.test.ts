/** `checkpoint.tar`, as torch's tutorial names its saves, is no archive of samples; `wrongNames` has the torch archive. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { concat, u32, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';

describe('checkpoint.tar', () => {
  it('that is a small pickle is scanned', async () => {
    const call = concat(Uint8Array.of(0x80, 2), utf8('cos\nsystem\n(X'), u32(7), utf8('touch x'), utf8('tR.'));
    const { report } = await inspect(memoryTree('m', { 'checkpoint.tar': call }), { path: 'm' });
    expect(report.kind).toBe('checkpoint');
    expect(report.findings.map(({ code }) => code)).toContain('pickle-calls-unexpected');
  });
});
