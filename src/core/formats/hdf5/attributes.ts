/** Attribute messages (HDF5 File Format Specification, IV.A.2.m) with one text or one number. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { readDataspace, readDatatype } from './datatype.js';
import { heapObjects, readHeapReference } from './globalHeap.js';
import { Fields, type Hdf5Bytes } from './hdf5Bytes.js';
import { message, type Message } from './objectHeader.js';

/** Attributes of an object by name; arrays and what lies outside of its header are left out. */
export async function attributesOf(file: Hdf5Bytes, messages: readonly Message[]): Promise<Map<string, string | number>> {
  const attributes = new Map<string, string | number>();
  for (const { type, data } of messages) {
    if (type !== message.attribute) continue;
    const attribute = await readAttribute(file, data);
    if (attribute !== undefined) attributes.set(...attribute);
  }
  return attributes;
}

/**
 * The text of one attribute of an object, which may be longer than what `attributesOf` takes; undefined where there is none.
 * @throws FormatError `limit-exceeded` for one above `maxBytes`
 */
export async function textAttributeOf(
  file: Hdf5Bytes,
  messages: readonly Message[],
  name: string,
  maxBytes: number,
): Promise<string | undefined> {
  for (const { type, data } of messages) {
    if (type !== message.attribute || storedAttribute(data)?.name !== name) continue;
    const found = await readAttribute(file, new Fields(data.bytes, data.sizes, data.fileOffset), maxBytes);
    return typeof found?.[1] === 'string' ? found[1] : undefined;
  }
  return undefined;
}

/** The value of an attribute as it is stored in the header of its object. */
export interface StoredAttribute {
  name: string;
  bytes: Uint8Array;
  /** Where they begin in the file. */
  fileOffset: number;
}

/** Values of all attributes in a header, whatever their types. Programs (PyTables, pandas) store pickles in them. */
export function storedAttributesOf(messages: readonly Message[]): StoredAttribute[] {
  return messages.filter(({ type }) => type === message.attribute).flatMap(({ data }) => storedAttribute(data) ?? []);
}

function storedAttribute({ bytes, sizes, fileOffset }: Fields): StoredAttribute | undefined {
  const fields = new Fields(bytes, sizes, fileOffset);
  try {
    const version = fields.u8();
    fields.skip(1);
    const lengths = [fields.u16(), fields.u16(), fields.u16()] as const;
    if (version === 3) fields.skip(1);
    const padded = (length: number): number => (version === 1 ? Math.ceil(length / 8) * 8 : length);
    const name = fields.text(padded(lengths[0]));
    fields.skip(padded(lengths[1]) + padded(lengths[2]));
    return { name, bytes: bytes.subarray(fields.at), fileOffset: fileOffset + fields.at };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

/** @param maxBytes longer texts in a heap are left out, or refused where they are asked for */
async function readAttribute(file: Hdf5Bytes, fields: Fields, maxBytes?: number): Promise<[string, string | number] | undefined> {
  const version = fields.u8();
  const isShared = fields.u8() !== 0;
  const lengths = [fields.u16(), fields.u16(), fields.u16()] as const;
  if (version === 3) fields.skip(1);
  // Only version 1 pads its parts to eight bytes.
  const padded = (bytes: number): number => (version === 1 ? Math.ceil(bytes / 8) * 8 : bytes);
  const name = fields.text(padded(lengths[0]));
  if (isShared && version > 1) return undefined;
  const datatype = readDatatype(fields.part(padded(lengths[1])));
  const shape = readDataspace(fields.part(padded(lengths[2])));
  if (shape === undefined || shape.length > 0) return undefined;
  if (datatype.isVariableText) {
    const text = await readHeapText(file, fields, maxBytes);
    return text === undefined ? undefined : [name, text];
  }
  if (datatype.dtype === 'string') return [name, fields.text(datatype.bytes)];
  const number = /^[iu](8|16|32|64)$/.test(datatype.dtype) ? fields.uint(datatype.bytes) : undefined;
  return number === undefined ? undefined : [name, number];
}

/** A text in a global heap. */
async function readHeapText(file: Hdf5Bytes, fields: Fields, maxBytes: number | undefined): Promise<string | undefined> {
  const { length, heap, number } = readHeapReference(fields);
  if (maxBytes !== undefined && length > maxBytes) throw new FormatError('limit-exceeded', `an attribute of ${length} bytes`);
  if (heap === undefined || length > (maxBytes ?? limits.metadataPayloadBytes)) return undefined;
  const object = (await heapObjects(file, heap, number)).get(number);
  return object && decodeText((await file.read(object.address, Math.min(length, object.bytes))).bytes);
}
