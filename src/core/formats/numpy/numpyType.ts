/** What `numpy.dtype` makes of the type in a header: a type string, one of its many other names, or a record. */
import type { PythonLiteral } from './pythonLiteral.js';

/** Widths in bytes by kind: `longdouble` takes 12 or 16. Of texts and records any; `V1` and `V2` are what ml_dtypes are written as. */
const typeWidths: Readonly<Record<string, readonly number[]>> = {
  b: [1],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  f: [1, 2, 4, 8, 12, 16],
  c: [8, 16, 24, 32],
  M: [8],
  m: [8],
};

/** Other names of types (numpy/_core/_type_aliases.py), and the characters of `numpy.typecodes`, of 64-bit Linux. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ object: 'O', object_: 'O', bool: 'b1', bool_: 'b1', '?': 'b1' },
  ...{
    b: 'i1',
    byte: 'i1',
    h: 'i2',
    short: 'i2',
    i: 'i4',
    intc: 'i4',
    l: 'i8',
    int: 'i8',
    int_: 'i8',
    long: 'i8',
    q: 'i8',
    longlong: 'i8',
    p: 'i8',
    intp: 'i8',
  },
  ...{
    B: 'u1',
    ubyte: 'u1',
    H: 'u2',
    ushort: 'u2',
    I: 'u4',
    uintc: 'u4',
    L: 'u8',
    uint: 'u8',
    ulong: 'u8',
    Q: 'u8',
    ulonglong: 'u8',
    P: 'u8',
    uintp: 'u8',
  },
  ...{ int8: 'i1', int16: 'i2', int32: 'i4', int64: 'i8', uint8: 'u1', uint16: 'u2', uint32: 'u4', uint64: 'u8' },
  ...{
    e: 'f2',
    half: 'f2',
    float16: 'f2',
    f: 'f4',
    single: 'f4',
    float32: 'f4',
    d: 'f8',
    double: 'f8',
    float: 'f8',
    float_: 'f8',
    float64: 'f8',
  },
  ...{
    g: 'f16',
    longdouble: 'f16',
    float128: 'f16',
    F: 'c8',
    csingle: 'c8',
    complex64: 'c8',
    D: 'c16',
    complex: 'c16',
    cdouble: 'c16',
    complex128: 'c16',
  },
  ...{ str: 'U', str_: 'U', unicode: 'U', bytes: 'S', bytes_: 'S', void: 'V' },
};

/** What a header says of the type of its array. */
export interface NumpyType {
  /** A type string such as `<f4`; undefined for records. */
  text: string | undefined;
  /** True where the data are a pickle, or where that cannot be ruled out. */
  isObject: boolean;
  /** False for what `numpy.dtype` refuses, as far as this is known. */
  isKnown: boolean;
}

/** The type of the value under `descr`: a text, a list of fields, or a pair of a type and a shape. */
export function numpyTypeOf(descr: PythonLiteral | undefined): NumpyType {
  if (typeof descr !== 'string') return { text: undefined, isObject: holdsObjects(descr), isKnown: Array.isArray(descr) };
  const text = typeString(descr);
  if (text !== undefined) return { text, isObject: isObjectType(text), isKnown: true };
  // `i4,O`, `(2,3)f4`: a record, or a type with a shape.
  const isRecord = /^[\w<>|=?(), ]+$/.test(descr) && /[,(]|^\d/.test(descr);
  return { text: isRecord ? undefined : descr, isObject: true, isKnown: isRecord };
}

function isObjectType(text: string): boolean {
  return /^[<>|=]?O/.test(text);
}

/** The type string of any name of a type; undefined for what is none. */
function typeString(text: string): string | undefined {
  if (isTypeString(text)) return text;
  const [, order = '', name = ''] = /^([<>|=]?)(.*)$/s.exec(text) ?? [];
  const isCharacter = name.length === 1;
  return Object.hasOwn(otherNames, name) && (order === '' || isCharacter) ? order + (otherNames[name] as string) : undefined;
}

/** numpy.dtype.str: byte order, kind, width, and the unit of times. */
function isTypeString(type: string): boolean {
  if (/^[<>|=]?O8?$/.test(type) || /^[<>|=]?[SUVa]\d{0,9}$/.test(type)) return true;
  const [, kind = '', width = '', unit] = /^[<>|=]?([a-zA-Z])(\d{1,2})(\[[\w/]{1,20}\])?$/.exec(type) ?? [];
  const isTime = kind === 'M' || kind === 'm';
  return Object.hasOwn(typeWidths, kind) && typeWidths[kind]?.includes(Number(width)) === true && (isTime || unit === undefined);
}

/** A record with a field of objects, at any depth, is pickled whole (numpy/lib/format.py, write_array: `dtype.hasobject`). */
function holdsObjects(descr: PythonLiteral | undefined): boolean {
  if (!Array.isArray(descr)) return true;
  // A type with a shape: `('<f4', (2, 3))`.
  const [first, second] = descr;
  if (descr.length === 2 && !isField(first))
    return typeof first === 'string' ? isSuspect(first) : holdsObjects(first) || second === undefined;
  return descr.some((field) => {
    const type = isField(field) ? field[1] : undefined;
    return typeof type === 'string' ? isSuspect(type) : holdsObjects(type);
  });
}

/** `(name, type)` or `(name, type, shape)`; a name may be a pair of a title and a name. */
function isField(value: PythonLiteral | undefined): value is PythonLiteral[] {
  return Array.isArray(value) && (value.length === 2 || value.length === 3);
}

function isSuspect(text: string): boolean {
  const type = typeString(text);
  return type === undefined || isObjectType(type);
}

/** Bytes of the data of a type string; undefined for pickled objects. Characters of `U` take four bytes each. */
export function dataBytesOf(type: string, elements: number): number | undefined {
  const [, kind = '', width = ''] = /^[<>|=]?([a-zA-Z])(\d*)/.exec(type) ?? [];
  return kind === 'O' ? undefined : elements * Number(width) * (kind === 'U' ? 4 : 1);
}
