import { describe, expect, it } from 'vitest';
import { opcode } from '../../../src/core/formats/pickle/opcodes.js';
import { runPickle } from '../../../src/core/formats/pickle/pickleMachine.js';
import {
  type PickleBytes,
  type PickleFloat,
  type PickleGlobal,
  type PicklePersistent,
  type PickleSet,
  PickleBuffer,
  PickleCall,
  PickleDict,
  PickleHugeInteger,
  PickleList,
  PickleTuple,
  type PickleValue,
} from '../../../src/core/formats/pickle/pickleValue.js';
import { bytes, concat, f64BE, u16, u32, u64, utf8 } from '../../builders/byteWriter.js';

const o = opcode;
const run = (...parts: Uint8Array[]): PickleValue => runPickle(concat(...parts, bytes(o.STOP))).root;
const codes = (...values: number[]): Uint8Array => bytes(...values);
const line = (code: number, text: string): Uint8Array => concat(bytes(code), utf8(`${text}\n`));
const dict = (value: PickleValue): [PickleValue, PickleValue][] =>
  (value as PickleDict).keys.map((key, index) => [key, (value as PickleDict).values[index] as PickleValue]);

/** One example for each opcode, so that none is forgotten: the list is compared with the table of opcodes below. */
const examples: Record<keyof typeof opcode, () => void> = {
  MARK: () => expect((run(codes(o.MARK, o.TUPLE)) as PickleTuple).items).toEqual([]),
  STOP: () => expect(runPickle(codes(o.NONE, o.STOP, 0xff)).end).toBe(2),
  POP: () => expect(run(codes(o.NONE, o.NEWTRUE, o.POP))).toBe(null),
  POP_MARK: () => expect(run(codes(o.NONE, o.MARK, o.NEWTRUE, o.NEWTRUE, o.POP_MARK))).toBe(null),
  DUP: () => {
    const [first, second] = (run(codes(o.EMPTY_LIST, o.DUP, o.TUPLE2)) as PickleTuple).items;
    expect(first).toBe(second);
  },
  FLOAT: () => expect((run(line(o.FLOAT, '1e-5')) as PickleFloat).value).toBe(1e-5),
  INT: () => {
    expect(run(line(o.INT, '-12'))).toBe(-12);
    expect(run(line(o.INT, '01'))).toBe(true);
    expect(run(line(o.INT, '00'))).toBe(false);
  },
  BININT: () => expect(run(codes(o.BININT), u32(0xfffffffe))).toBe(-2),
  BININT1: () => expect(run(codes(o.BININT1, 200))).toBe(200),
  LONG: () => expect(run(line(o.LONG, '123456789012345678901234567890L'))).toBe(123456789012345678901234567890n),
  BININT2: () => expect(run(codes(o.BININT2), u16(40_000))).toBe(40_000),
  NONE: () => expect(run(codes(o.NONE))).toBe(null),
  PERSID: () => expect((run(line(o.PERSID, 'id')) as PicklePersistent).id).toBe('id'),
  BINPERSID: () => expect((run(codes(o.NONE, o.BINPERSID)) as PicklePersistent).id).toBe(null),
  REDUCE: () => {
    const call = run(line(o.GLOBAL, 'm\nf'), codes(o.BININT1, 1, o.TUPLE1, o.REDUCE)) as PickleCall;
    expect((call.callee as PickleGlobal).fullName).toBe('m.f');
    expect((call.args as PickleTuple).items).toEqual([1]);
  },
  STRING: () => expect(run(line(o.STRING, String.raw`'a\x41\n'`))).toBe('aA\n'),
  BINSTRING: () => expect(run(codes(o.BINSTRING), u32(1), codes(0xe9))).toBe('é'),
  SHORT_BINSTRING: () => expect(run(codes(o.SHORT_BINSTRING, 2, 0x61, 0x62))).toBe('ab'),
  UNICODE: () => expect(run(line(o.UNICODE, String.raw`\u00e9x`))).toBe('éx'),
  BINUNICODE: () => expect(run(codes(o.BINUNICODE), u32(2), utf8('é'))).toBe('é'),
  APPEND: () => expect((run(codes(o.EMPTY_LIST, o.BININT1, 7, o.APPEND)) as PickleList).items).toEqual([7]),
  BUILD: () =>
    expect(
      (run(line(o.GLOBAL, 'm\nC'), codes(o.EMPTY_TUPLE, o.NEWOBJ, o.EMPTY_DICT, o.BUILD)) as PickleCall).state,
    ).toBeInstanceOf(PickleDict),
  GLOBAL: () => expect((run(line(o.GLOBAL, 'os\nsystem')) as PickleGlobal).fullName).toBe('os.system'),
  DICT: () => expect(dict(run(codes(o.MARK, o.BININT1, 1, o.BININT1, 2, o.DICT)))).toEqual([[1, 2]]),
  EMPTY_DICT: () => expect(run(codes(o.EMPTY_DICT))).toBeInstanceOf(PickleDict),
  APPENDS: () =>
    expect((run(codes(o.EMPTY_LIST, o.MARK, o.BININT1, 1, o.BININT1, 2, o.APPENDS)) as PickleList).items).toEqual([1, 2]),
  GET: () => expect(run(codes(o.NEWTRUE), line(o.PUT, '5'), codes(o.POP), line(o.GET, '5'))).toBe(true),
  BINGET: () => expect(run(codes(o.NEWTRUE, o.BINPUT, 3, o.POP, o.BINGET, 3))).toBe(true),
  INST: () =>
    expect(((run(codes(o.MARK, o.BININT1, 1), line(o.INST, 'm\nC')) as PickleCall).callee as PickleGlobal).name).toBe('C'),
  LONG_BINGET: () =>
    expect(run(codes(o.NEWTRUE, o.LONG_BINPUT), u32(70_000), codes(o.POP, o.LONG_BINGET), u32(70_000))).toBe(true),
  LIST: () => expect((run(codes(o.MARK, o.NONE, o.LIST)) as PickleList).items).toEqual([null]),
  EMPTY_LIST: () => expect(run(codes(o.EMPTY_LIST))).toBeInstanceOf(PickleList),
  OBJ: () =>
    expect((run(codes(o.MARK), line(o.GLOBAL, 'm\nC'), codes(o.BININT1, 9, o.OBJ)) as PickleCall).args).toEqual(
      new PickleTuple([9]),
    ),
  PUT: () => expect(run(codes(o.NONE), line(o.PUT, '0'))).toBe(null),
  BINPUT: () => expect(run(codes(o.NONE, o.BINPUT, 0))).toBe(null),
  LONG_BINPUT: () => expect(run(codes(o.NONE, o.LONG_BINPUT), u32(4_000_000_000))).toBe(null),
  SETITEM: () => expect(dict(run(codes(o.EMPTY_DICT, o.BININT1, 1, o.NONE, o.SETITEM)))).toEqual([[1, null]]),
  TUPLE: () => expect((run(codes(o.MARK, o.NONE, o.NONE, o.NONE, o.NONE, o.TUPLE)) as PickleTuple).items).toHaveLength(4),
  EMPTY_TUPLE: () => expect((run(codes(o.EMPTY_TUPLE)) as PickleTuple).items).toEqual([]),
  SETITEMS: () =>
    expect(dict(run(codes(o.EMPTY_DICT, o.MARK, o.BININT1, 1, o.NONE, o.BININT1, 2, o.NONE, o.SETITEMS)))).toHaveLength(2),
  BINFLOAT: () => expect((run(codes(o.BINFLOAT), f64BE(0.1)) as PickleFloat).value).toBe(0.1),
  PROTO: () => expect(run(codes(o.PROTO, 5, o.NONE))).toBe(null),
  NEWOBJ: () => expect(run(line(o.GLOBAL, 'm\nC'), codes(o.EMPTY_TUPLE, o.NEWOBJ))).toBeInstanceOf(PickleCall),
  EXT1: () => expect((run(codes(o.EXT1, 7)) as PickleGlobal).fullName).toBe('copyreg.extension 7'),
  EXT2: () => expect((run(codes(o.EXT2), u16(300)) as PickleGlobal).fullName).toBe('copyreg.extension 300'),
  EXT4: () => expect((run(codes(o.EXT4), u32(70_000)) as PickleGlobal).fullName).toBe('copyreg.extension 70000'),
  TUPLE1: () => expect((run(codes(o.NONE, o.TUPLE1)) as PickleTuple).items).toEqual([null]),
  TUPLE2: () => expect((run(codes(o.NONE, o.NONE, o.TUPLE2)) as PickleTuple).items).toHaveLength(2),
  TUPLE3: () => expect((run(codes(o.NONE, o.NONE, o.NONE, o.TUPLE3)) as PickleTuple).items).toHaveLength(3),
  NEWTRUE: () => expect(run(codes(o.NEWTRUE))).toBe(true),
  NEWFALSE: () => expect(run(codes(o.NEWFALSE))).toBe(false),
  LONG1: () => {
    expect(run(codes(o.LONG1, 2, 0x00, 0xff))).toBe(-256);
    expect(run(codes(o.LONG1, 0))).toBe(0);
    expect(run(codes(o.LONG1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1))).toBe(2n ** 64n);
  },
  LONG4: () => expect(run(codes(o.LONG4), u32(2_000), new Uint8Array(2_000))).toBeInstanceOf(PickleHugeInteger),
  BINBYTES: () => expect((run(codes(o.BINBYTES), u32(2), codes(1, 2)) as PickleBytes).bytes).toEqual(codes(1, 2)),
  SHORT_BINBYTES: () => expect((run(codes(o.SHORT_BINBYTES, 1, 9)) as PickleBytes).bytes).toEqual(codes(9)),
  SHORT_BINUNICODE: () => expect(run(codes(o.SHORT_BINUNICODE, 1, 0x61))).toBe('a'),
  BINUNICODE8: () => expect(run(codes(o.BINUNICODE8), u64(1), utf8('a'))).toBe('a'),
  BINBYTES8: () => expect((run(codes(o.BINBYTES8), u64(1), codes(3)) as PickleBytes).bytes).toEqual(codes(3)),
  EMPTY_SET: () => expect((run(codes(o.EMPTY_SET)) as PickleSet).frozen).toBe(false),
  ADDITEMS: () => expect((run(codes(o.EMPTY_SET, o.MARK, o.BININT1, 1, o.ADDITEMS)) as PickleSet).items).toEqual([1]),
  FROZENSET: () => expect((run(codes(o.MARK, o.BININT1, 1, o.FROZENSET)) as PickleSet).frozen).toBe(true),
  NEWOBJ_EX: () =>
    expect((run(line(o.GLOBAL, 'm\nC'), codes(o.EMPTY_TUPLE, o.EMPTY_DICT, o.NEWOBJ_EX)) as PickleCall).keywords).toBeInstanceOf(
      PickleDict,
    ),
  STACK_GLOBAL: () =>
    expect((run(codes(o.SHORT_BINUNICODE, 1, 0x6d, o.SHORT_BINUNICODE, 1, 0x66, o.STACK_GLOBAL)) as PickleGlobal).fullName).toBe(
      'm.f',
    ),
  MEMOIZE: () => expect(run(codes(o.NEWTRUE, o.MEMOIZE, o.POP, o.BINGET, 0))).toBe(true),
  FRAME: () => expect(run(codes(o.FRAME), u64(1), codes(o.NONE))).toBe(null),
  BYTEARRAY8: () => expect((run(codes(o.BYTEARRAY8), u64(1), codes(3)) as PickleBytes).mutable).toBe(true),
  NEXT_BUFFER: () => expect(run(codes(o.NEXT_BUFFER))).toBeInstanceOf(PickleBuffer),
  READONLY_BUFFER: () => expect(run(codes(o.NEXT_BUFFER, o.READONLY_BUFFER))).toBeInstanceOf(PickleBuffer),
};

describe('each opcode', () => {
  it.each(Object.entries(examples))('%s', (_, example) => example());
  it('has an example', () =>
    expect(Object.keys(examples).sort()).toEqual(
      Object.keys(opcode)
        .filter((name) => Number.isNaN(Number(name)))
        .sort(),
    ));
});

describe('what no pickler writes', () => {
  it.each([
    ['an empty stack', codes(o.APPEND, o.STOP), 'corrupt'],
    ['no mark', codes(o.TUPLE, o.STOP), 'corrupt'],
    ['a value below the mark', codes(o.NONE, o.MARK, o.DUP, o.STOP), 'corrupt'],
    ['a key without a value', codes(o.EMPTY_DICT, o.MARK, o.NONE, o.SETITEMS, o.STOP), 'corrupt'],
    ['a memo key that was never set', codes(o.BINGET, 4, o.STOP), 'corrupt'],
    ['values below the mark', codes(o.NONE, o.NONE, o.MARK, o.NONE, o.TUPLE3, o.POP_MARK, o.STOP), 'corrupt'],
    ['items without a dict', codes(o.MARK, o.NONE, o.NONE, o.SETITEMS, o.NONE, o.STOP), 'corrupt'],
    ['a memo key below 0', concat(codes(o.NONE), line(o.PUT, '-1'), codes(o.STOP)), 'corrupt'],
    ['no such opcode', codes(0x00, o.STOP), 'corrupt'],
    ['no STOP', codes(o.NONE), 'truncated'],
    ['an argument that is cut off', codes(o.BINUNICODE, 5, 0, 0, 0, 0x61), 'truncated'],
    ['an argument of which one byte is there', codes(o.BININT2, 1), 'truncated'],
    ['an argument as long as the pickle', codes(o.BINUNICODE, 6, 0, 0, 0, 0x61), 'truncated'],
    ['a line without an end', concat(codes(o.GLOBAL), utf8('os')), 'truncated'],
    ['a negative length', concat(codes(o.BINSTRING), u32(0xffffffff), codes(o.STOP)), 'corrupt'],
    ['a length that leads back to its opcode', concat(codes(o.BINSTRING), u32(2 ** 32 - 5), codes(o.STOP)), 'corrupt'],
  ])('%s is said with its offset', (_, pickle, code) => {
    expect(() => runPickle(pickle)).toThrowError(
      expect.objectContaining({ name: 'FormatError', code, offset: expect.any(Number) as number }) as Error,
    );
  });
});

it('has no path from the file to a function: the sources name none', async () => {
  const { readFileSync } = await import('node:fs');
  const source = ['pickleMachine', 'pickleReader']
    .map((name) => readFileSync(`src/core/formats/pickle/${name}.ts`, 'utf8'))
    .join('\n');
  expect(source).not.toMatch(/\b(eval|Function|import\(|globalThis|Reflect|require)\b/);
});
