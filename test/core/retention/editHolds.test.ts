import { describe, expect, it } from 'vitest';
import { withHold, withoutHold } from '../../../src/core/retention/editHolds.js';
import { readHolds } from '../../../src/core/retention/holds.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';

describe('a file of holds', () => {
  it('begins with the first one, and gets more', async () => {
    const first = await withHold(null, 'checkpoint-1', 'golden');
    const second = await withHold(first, 'a: b # c', 'why: "so"\nmore');
    expect((await readHolds(first)).map(({ path, reason, untilMs }) => [path, reason, untilMs])).toEqual([
      ['checkpoint-1', 'golden', null],
    ]);
    expect(await readHolds(await withHold('holds: []\n', 'x', 'y'))).toHaveLength(1);
    await expect(readHolds(second)).rejects.toThrow(FormatError);
  });

  it('keeps comments and the others', async () => {
    const text =
      '# ours\nholds:\n  # the paper\n  - { path: a, reason: legal, until: 2030-01-01 }\n  - { path: b, reason: golden }\n';
    const without = await withoutHold(await withHold(text, 'c', 'golden'), 'b');
    expect(without).toContain('# ours');
    expect(without).toContain('# the paper');
    expect((await readHolds(without)).map(({ path }) => path)).toEqual(['a', 'c']);
  });

  it.each(['holds: 3\n', 'holds: []\nmore: 1\n', 'holds: [{ path: ../a, reason: b }]\n'])(
    'is not written over: %j',
    async (text) => {
      await expect(withHold(text, 'a', 'b')).rejects.toThrow(FormatError);
      await expect(withoutHold(text, 'a')).rejects.toThrow(FormatError);
    },
  );
});
