/** Datatype messages (HDF5 File Format Specification, IV.A.2.d) under the names that reports use. */
import type { Fields } from './hdf5Bytes.js';

export interface Hdf5Datatype {
  dtype: string;
  /** Of one element. */
  bytes: number;
  /** Of numbers. */
  isBigEndian: boolean;
  /** A text of the file's global heap. */
  isVariableText: boolean;
  /** A list of bytes in the file's global heap. */
  isVariableBytes: boolean;
}

const FIXED = 0;
const FLOAT = 1;
const STRING = 3;
const BITFIELD = 4;
const OPAQUE = 5;
const COMPOUND = 6;
const REFERENCE = 7;
const ENUM = 8;
const VARIABLE = 9;
const ARRAY = 10;

export function readDatatype(fields: Fields): Hdf5Datatype {
  const classAndVersion = fields.u8();
  const bits = fields.u8();
  fields.skip(2);
  const bytes = fields.u32();
  const kind = classAndVersion & 0x0f;
  const isVariableText = kind === VARIABLE && (bits & 0x0f) === 1;
  const isList = kind === VARIABLE && !isVariableText;
  const isVariableBytes = isList && fields.left >= 8 && isByte(fields);
  const isNumber = kind === FIXED || kind === FLOAT;
  const isBigEndian = isNumber && (bits & 1) === 1;
  const dtype = isVariableText ? 'string' : isList ? 'variable-length' : nameOf(kind, bits, bytes, fields);
  return { dtype, bytes, isBigEndian, isVariableText, isVariableBytes };
}

/** Whether the type that a list is of is an integer of one byte. */
function isByte(fields: Fields): boolean {
  const kind = fields.u8() & 0x0f;
  fields.skip(3);
  return kind === FIXED && fields.u32() === 1;
}

function nameOf(kind: number, bits: number, bytes: number, fields: Fields): string {
  switch (kind) {
    case FIXED:
      return `${(bits & 8) === 0 ? 'u' : 'i'}${bytes * 8}`;
    case FLOAT:
      return floatName(bytes, fields);
    case STRING:
      return 'string';
    case BITFIELD:
      return `bits${bytes * 8}`;
    case OPAQUE:
      return `opaque${bytes}`;
    case COMPOUND:
      return complexName(bits, bytes, fields) ?? 'compound';
    case REFERENCE:
      return 'reference';
    // h5py writes booleans as an enumeration of FALSE and TRUE over i8.
    case ENUM:
      return bytes === 1 && bits === 2 ? 'bool' : readDatatype(fields).dtype;
    case ARRAY:
      return 'array';
    default:
      return `hdf5_class_${kind}`;
  }
}

/** The widths of exponent and mantissa tell floats of one size apart. */
function floatName(bytes: number, fields: Fields): string {
  if (fields.left < 8) return `f${bytes * 8}`;
  fields.skip(5);
  const exponentBits = fields.u8();
  fields.skip(1);
  const mantissaBits = fields.u8();
  if (bytes === 2 && exponentBits === 8) return 'bf16';
  if (bytes === 1) return `f8_e${exponentBits}m${mantissaBits}`;
  return `f${bytes * 8}`;
}

/** h5py writes complex numbers as a compound of two floats, `r` and `i`. */
function complexName(members: number, bytes: number, fields: Fields): string | undefined {
  if (members !== 2 || (bytes !== 8 && bytes !== 16) || fields.left < 2) return undefined;
  return fields.text(1) === 'r' && fields.u8() === 0 ? `c${bytes * 8}` : undefined;
}

/** Sizes of a dataspace message (IV.A.2.b): none for a scalar; undefined for a null dataspace, which holds nothing. */
export function readDataspace(fields: Fields): number[] | undefined {
  const version = fields.u8();
  const rank = fields.u8();
  fields.skip(version === 1 ? 6 : 2);
  const isNull = version > 1 && fields.bytes[fields.at - 1] === 2;
  if (isNull) return undefined;
  const shape: number[] = [];
  for (let index = 0; index < rank; index++) shape.push(fields.length());
  return shape;
}
