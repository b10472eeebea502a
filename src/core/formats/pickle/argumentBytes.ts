/** How many bytes follow each opcode of a pickle, as in CPython's Lib/pickletools.py. */
import { opcode } from './opcodes.js';

/** In place of a count: how the length of the argument itself is written, or that it ends with a line. */
export const LENGTH8 = -1;
export const LENGTH32 = -2;
export const LENGTH64 = -3;
export const LINE = -4;
export const TWO_LINES = -5;
/** No opcode. */
export const NO_OPCODE = -6;

/** Bytes of the argument by opcode, or one of the constants above. */
export const argumentBytes: Readonly<Int8Array> = makeTable();

function makeTable(): Int8Array {
  const table = new Int8Array(256).fill(NO_OPCODE);
  const assign = (bytes: number, codes: readonly number[]): void => {
    for (const code of codes) table[code] = bytes;
  };
  assign(0, [
    ...[
      opcode.NONE,
      opcode.NEWTRUE,
      opcode.NEWFALSE,
      opcode.MARK,
      opcode.EMPTY_TUPLE,
      opcode.TUPLE,
      opcode.TUPLE1,
      opcode.TUPLE2,
    ],
    ...[opcode.TUPLE3, opcode.EMPTY_LIST, opcode.LIST, opcode.APPEND, opcode.APPENDS, opcode.EMPTY_DICT, opcode.DICT],
    ...[opcode.SETITEM, opcode.SETITEMS, opcode.EMPTY_SET, opcode.FROZENSET, opcode.ADDITEMS, opcode.STACK_GLOBAL, opcode.REDUCE],
    ...[opcode.NEWOBJ, opcode.NEWOBJ_EX, opcode.OBJ, opcode.BUILD, opcode.BINPERSID, opcode.NEXT_BUFFER, opcode.READONLY_BUFFER],
    ...[opcode.DUP, opcode.POP, opcode.POP_MARK, opcode.MEMOIZE, opcode.STOP],
  ]);
  assign(1, [opcode.PROTO, opcode.BININT1, opcode.EXT1, opcode.BINPUT, opcode.BINGET]);
  assign(2, [opcode.BININT2, opcode.EXT2]);
  assign(4, [opcode.BININT, opcode.EXT4, opcode.LONG_BINPUT, opcode.LONG_BINGET]);
  assign(8, [opcode.BINFLOAT, opcode.FRAME]);
  assign(LENGTH8, [opcode.SHORT_BINUNICODE, opcode.SHORT_BINBYTES, opcode.SHORT_BINSTRING, opcode.LONG1]);
  assign(LENGTH32, [opcode.BINUNICODE, opcode.BINBYTES, opcode.BINSTRING, opcode.LONG4]);
  assign(LENGTH64, [opcode.BINUNICODE8, opcode.BINBYTES8, opcode.BYTEARRAY8]);
  assign(LINE, [opcode.FLOAT, opcode.INT, opcode.LONG, opcode.STRING, opcode.UNICODE, opcode.PERSID, opcode.GET, opcode.PUT]);
  assign(TWO_LINES, [opcode.GLOBAL, opcode.INST]);
  return table;
}
