/** Global heaps (HDF5 File Format Specification, III.E): collections of objects of variable length, each with a number. */
import type { Fields, Hdf5Bytes } from './hdf5Bytes.js';

/** Where an object of a heap is. */
export interface HeapObject {
  address: number;
  bytes: number;
}

/** What refers to an object of a heap (VIII.B): its length, the heap's address, its number. */
export interface HeapReference {
  length: number;
  heap: number | undefined;
  number: number;
}

/** Numbers of objects have 16 bits: a collection has no more. */
const MAX_OBJECTS = 65_536;

/** @throws FormatError `corrupt` where the fields end before */
export function readHeapReference(fields: Fields): HeapReference {
  return { length: fields.u32(), heap: fields.address(), number: fields.u32() };
}

/**
 * The objects of a collection by their numbers.
 * @param wanted the search ends with this one
 * @throws FormatError `corrupt`, `truncated`
 */
export async function heapObjects(file: Hdf5Bytes, heap: number, wanted?: number): Promise<Map<number, HeapObject>> {
  const { lengthBytes } = file.sizes;
  const header = await file.read(heap, 8 + lengthBytes);
  header.expect('GCOL');
  header.skip(4);
  const end = heap + header.length();
  const entryBytes = 8 + lengthBytes;
  const objects = new Map<number, HeapObject>();
  for (let at = heap + entryBytes; at + entryBytes <= end && objects.size < MAX_OBJECTS;) {
    const entry = await file.read(at, entryBytes);
    const number = entry.u16();
    entry.skip(6);
    const bytes = entry.length();
    // What is free has number 0, and is the last.
    if (number === 0 || objects.has(number)) break;
    objects.set(number, { address: at + entryBytes, bytes });
    if (number === wanted) break;
    at += entryBytes + Math.ceil(bytes / 8) * 8;
  }
  return objects;
}
