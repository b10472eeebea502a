/** Pickles that mean harm: deep, cyclic, growing, lying about lengths, or calling what must not be called. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../src/core/bytes/formatError.js';
import { limits } from '../../src/core/bytes/limits.js';
import { opcode } from '../../src/core/formats/pickle/opcodes.js';
import { runPickle } from '../../src/core/formats/pickle/pickleMachine.js';
import { PickleCall, PickleGlobal } from '../../src/core/formats/pickle/pickleValue.js';
import { bytes, concat, u32, u64, utf8 } from '../builders/byteWriter.js';
import { memoryTree } from '../builders/memoryTree.js';
import { isExhaustive, runs } from '../builders/seed.js';
import { buildTorchZip } from '../builders/torchZipBuilder.js';
import { inspectHostile } from './accountable.js';

const {
  PROTO,
  EMPTY_LIST,
  EMPTY_DICT,
  MEMOIZE,
  APPEND,
  STOP,
  BINGET,
  TUPLE2,
  DUP,
  MARK,
  LONG_BINPUT,
  GLOBAL,
  REDUCE,
  BINUNICODE8,
  BINBYTES8,
  EMPTY_TUPLE,
  NEWOBJ,
  BUILD,
  SETITEMS,
  TUPLE1,
} = opcode;

function torchFile(pickle: Uint8Array): Uint8Array {
  return buildTorchZip({ pickle, storages: {} });
}

async function inspectPickle(pickle: Uint8Array) {
  return [
    await inspectHostile(memoryTree('p', { 'a.pt': torchFile(pickle) })),
    await inspectHostile(memoryTree('p', { 'a.pkl': pickle })),
  ] as const;
}

/** More nested calls than a stack of Node has room for, by a factor of ten. */
const deepLists = isExhaustive ? 1_000_000 : 100_000;
/** More arguments than a call can have; Node's limit is near 125,000. */
const manyItems = isExhaustive ? 200_000 : 130_000;

describe('shapes of objects', () => {
  it('a deeply nested list costs no stack', async () => {
    const deep = concat(
      bytes(PROTO, 2),
      new Uint8Array(deepLists).fill(EMPTY_LIST),
      new Uint8Array(deepLists - 1).fill(APPEND),
      bytes(STOP),
    );
    const [zip] = await inspectPickle(deep);
    expect(zip.totalBytes).toBeGreaterThan(2 * deepLists);
  });

  it('a list that contains itself is shown as such', async () => {
    const self = bytes(PROTO, 4, EMPTY_LIST, MEMOIZE, BINGET, 0, APPEND, STOP);
    const [zip] = await inspectPickle(self);
    expect(JSON.stringify(zip.objects)).toContain('refers to itself');
  });

  it('sixty doublings do not take 2^60 steps', async () => {
    const doublings = Array.from({ length: 60 }, () => bytes(DUP, TUPLE2));
    const [zip] = await inspectPickle(concat(bytes(PROTO, 2, EMPTY_DICT), ...doublings, bytes(STOP)));
    expect(zip.findings.map((finding) => finding.code)).toContain('pickle-walk-limit');
  });

  it('imports beyond the arguments of a call are counted, and no call takes them all as arguments', async () => {
    const imports = utf8(Array.from({ length: manyItems }, (_, number) => `cm\nf${number}\n0`).join(''));
    const [zip] = await inspectPickle(concat(bytes(PROTO, 2), imports, bytes(EMPTY_DICT, STOP)));
    expect(zip.pickleImports).toHaveLength(limits.pickleImports);
    expect(zip.findings.map(({ code }) => code)).toContain('pickle-imports-cut');
    expect(zip.findings.filter((finding) => finding.code === 'pickle-import-unexpected').length).toBeLessThan(100);
  });

  it('a state of two dicts with more names than a call has arguments is one object', async () => {
    const half = concat(
      bytes(EMPTY_DICT, MARK),
      utf8(Array.from({ length: manyItems }, (_, number) => `I${number}\nN`).join('')),
      bytes(SETITEMS),
    );
    const state = concat(half, half, bytes(TUPLE2));
    const [zip] = await inspectPickle(
      concat(bytes(PROTO, 2, GLOBAL), utf8('m\nC\n'), bytes(EMPTY_TUPLE, NEWOBJ), state, bytes(BUILD, STOP)),
    );
    expect(zip.objects[0]?.root).toMatchObject({ kind: 'object', count: 2 * manyItems });
  });

  it('a wrapper inside itself ends', async () => {
    const wrapper = concat(
      bytes(PROTO, 4, EMPTY_LIST, MEMOIZE),
      bytes(GLOBAL),
      utf8('torch._utils\n_rebuild_parameter\n'),
      bytes(BINGET, 0, TUPLE1, REDUCE, APPEND, STOP),
    );
    await inspectPickle(wrapper);
  });
});

describe('lengths', () => {
  it.each([
    ['a text of 2^63 bytes', concat(bytes(PROTO, 4, BINUNICODE8), u64(2n ** 63n), bytes(STOP))],
    ['bytes of 2^64 - 1', concat(bytes(PROTO, 4, BINBYTES8), u64(2n ** 64n - 1n), bytes(STOP))],
    ['a memo key of 4 billion', concat(bytes(PROTO, 2, EMPTY_LIST, LONG_BINPUT), u32(0xfffffffe), bytes(STOP))],
    ['a hundred thousand open marks', concat(bytes(PROTO, 2), new Uint8Array(100_000).fill(MARK), bytes(EMPTY_TUPLE, STOP))],
  ])('%s', async (_, pickle) => {
    await inspectPickle(pickle);
  });
});

describe('calls', () => {
  it('names what would run, and makes a node of it', () => {
    const { root } = runPickle(concat(bytes(PROTO, 2, GLOBAL), utf8('os\nsystem\n'), bytes(EMPTY_TUPLE, REDUCE, STOP)));
    expect(root).toBeInstanceOf(PickleCall);
    expect((root as PickleCall).callee).toBeInstanceOf(PickleGlobal);
  });

  it('reports an unexpected call with its file', async () => {
    const [zip] = await inspectPickle(concat(bytes(PROTO, 2, GLOBAL), utf8('posix\nsystem\n'), bytes(EMPTY_TUPLE, REDUCE, STOP)));
    expect(zip.pickleImports).toEqual([{ name: 'posix.system', files: 1, expected: false, kind: 'unexpected', paths: ['a.pt'] }]);
    expect(zip.findings.map(({ code, path }) => ({ code, path }))).toContainEqual({
      code: 'pickle-calls-unexpected',
      path: 'a.pt',
    });
  });
});

it('every sequence of bytes is a result or a FormatError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (random) => {
      try {
        runPickle(random);
      } catch (error) {
        expect(FormatError.is(error)).toBe(true);
      }
    }),
    runs(1_000, 50_000),
  );
});

it('every sequence of opcodes is a result or a FormatError', () => {
  const anyOpcode = fc.constantFrom(...Object.values(opcode).filter((code) => typeof code === 'number'));
  fc.assert(
    fc.property(fc.array(fc.oneof(anyOpcode, fc.nat(255)), { maxLength: 300 }), (codes) => {
      try {
        runPickle(Uint8Array.from(codes));
      } catch (error) {
        expect(FormatError.is(error)).toBe(true);
      }
    }),
    runs(1_000, 50_000),
  );
});
