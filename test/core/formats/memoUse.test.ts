import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { runPickle } from '../../../src/core/formats/pickle/pickleMachine.js';
import { MemoUse, memoUseOf } from '../../../src/core/formats/pickle/memoUse.js';
import { opcode } from '../../../src/core/formats/pickle/opcodes.js';
import { runs } from '../../builders/seed.js';

const metadata = path.resolve('test/fixtures/frameworks/dcp/fsdp2-app-2r/data/step_3/.metadata');

function resultOf(bytes: Uint8Array, forget: boolean): unknown {
  try {
    return runPickle(bytes, 0, { forget });
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return error.code;
  }
}

describe('forgetting memo entries that nothing fetches', () => {
  it('changes nothing of what a pickle is', () => {
    const bytes = new Uint8Array(readFileSync(metadata));
    expect(memoUseOf(bytes)).toBeDefined();
    expect(resultOf(bytes, true)).toEqual(resultOf(bytes, false));
  });

  it('changes nothing of pickles that share and repeat entries', () => {
    const code = fc.constantFrom(
      [opcode.EMPTY_LIST],
      [opcode.EMPTY_TUPLE],
      [opcode.MEMOIZE],
      [opcode.BINGET, 0],
      [opcode.BINGET, 1],
      [opcode.LONG_BINGET, 2, 0, 0, 0],
      [opcode.TUPLE2],
      [opcode.APPEND],
      [opcode.SHORT_BINUNICODE, 1, 0x61],
    );
    fc.assert(
      fc.property(fc.array(code, { maxLength: 30 }), (codes) => {
        const bytes = Uint8Array.from([opcode.PROTO, 4, opcode.NONE, ...codes.flat(), opcode.STOP]);
        expect(resultOf(bytes, true)).toEqual(resultOf(bytes, false));
      }),
      runs(600, 30000),
    );
  });

  it('keeps every entry of a pickle that it cannot follow', () => {
    expect(memoUseOf(Uint8Array.from([opcode.PROTO, 2, opcode.GET, 0x30, 0x0a, opcode.STOP]))).toBeUndefined();
    expect(memoUseOf(Uint8Array.from([opcode.PROTO, 4, opcode.BINUNICODE, 0xff, 0xff, 0xff, 0xff]))).toBeUndefined();
  });

  it('numbers the keys of a set in order', () => {
    const use = new MemoUse(200);
    for (const key of [0, 31, 32, 64, 199]) use.add(key);
    expect([0, 1, 31, 32, 63, 64, 199].map((key) => use.placeOf(key))).toEqual([0, -1, 1, 2, -1, 3, 4]);
  });
});
