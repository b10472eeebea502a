/** Where the containers of checkpoints and datasets have their headers, found by signature: damage there is tried first. */
import { latin1 } from '../builders/byteWriter.js';
import { edges, upTo, type Tier } from './sweep.js';

/** Signatures of headers within files. */
const signatures = [
  ...['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', 'PK\x07\x08'],
  ...['PAR1', 'ARROW1', '\xff\xff\xff\xff', '\x93NUMPY', 'GGUF', 'ustar'],
  ...['OHDR', 'OCHK', 'TREE', 'SNOD', 'HEAP', 'GCOL', 'FRHP', 'FHDB', 'FHIB', 'BTHD', 'BTLF', 'BTIN', 'FADB', 'EADB'],
  ...['\x0c\xdb\x3a\x2a', '\x0c\xdb\x20\xde', '\x28\xb5\x2f\xfd'],
].map(latin1);

/** The longest fixed header is that of a zip directory entry. */
const headerBytes = 46;

/** Offsets at which a header or, in safetensors, the payload begins. */
function headersOf(bytes: Uint8Array): number[] {
  const found = signatures.flatMap((signature) => occurrences(bytes, signature));
  const declared = bytes.byteLength > 8 ? new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true) : 0n;
  if (declared > 0n && declared < BigInt(bytes.byteLength)) found.push(8 + Number(declared));
  return found.sort((a, b) => a - b);
}

function occurrences(bytes: Uint8Array, signature: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(signature[0] as number); at !== -1; at = bytes.indexOf(signature[0] as number, at + 1))
    if (signature.every((byte, index) => bytes[at + index] === byte)) found.push(at);
  return found;
}

/** Messages beyond these repeat the ones before: each batch has the same fields. */
const maxArrowMessages = 6;

/**
 * Offsets of eight-byte fields in the metadata of Arrow messages: the lengths of buffers and of batches are among them. A length of 0
 * where there are values has to be tried at each of them.
 */
function arrowFields(bytes: Uint8Array): number[] {
  if (!/^(ARRO|\xff\xff\xff\xff)/.test(String.fromCharCode(...bytes.subarray(0, 4)))) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: number[] = [];
  let messages = 0;
  for (let at = 0; at + 8 <= bytes.byteLength && messages < maxArrowMessages; at += 4) {
    const length = view.getInt32(at + 4, true);
    if (view.getUint32(at, true) !== 0xffffffff || length <= 0 || at + 8 + length > bytes.byteLength) continue;
    messages += 1;
    for (let field = at + 8; field < at + 8 + length; field += 8) fields.push(field);
    at += 4 + length;
  }
  return fields;
}

export interface Budgets {
  /** Offsets at both ends that every run visits. */
  edge: number;
  /** Offsets beside those, up to `nearBytes` from an end. */
  nearEdge: number;
  nearBytes?: number;
  headers: number;
  rest: number;
  /** Where an inspection reads a whole directory: the most places of the exhaustive run. */
  exhaustive?: number;
}

/** Lengths to which a file is cut: at its ends, at and within headers, and in between. */
export function cutTiers(bytes: Uint8Array, { edge, nearEdge, nearBytes = 100, headers, rest }: Budgets): Tier[] {
  const starts = headersOf(bytes);
  return [
    { offsets: edges(bytes.byteLength, edge) },
    { offsets: edges(bytes.byteLength, nearBytes), budget: nearEdge },
    { offsets: starts.flatMap((at) => [at - 1, at, at + 1, at + 4, at + headerBytes]), budget: headers },
    { offsets: upTo(bytes.byteLength), budget: rest },
  ];
}

/** Offsets at which fields are replaced. Headers count by each of their bytes. */
export function fieldTiers(bytes: Uint8Array, { edge, nearEdge, nearBytes = 100, headers, rest }: Budgets): Tier[] {
  const starts = headersOf(bytes);
  const size = fieldPlaces(bytes);
  return [
    { offsets: edges(size, edge) },
    { offsets: arrowFields(bytes), firstValueOnly: true },
    { offsets: edges(size, nearBytes), budget: nearEdge },
    { offsets: starts.flatMap((at) => upTo(headerBytes).map((within) => at + within)), budget: headers },
    { offsets: upTo(size), budget: rest },
  ];
}

/** A value of eight bytes fits at this many offsets. */
export const fieldPlaces = (bytes: Uint8Array): number => Math.max(0, bytes.byteLength - 7);
