/** The metadata of a record batch or a dictionary batch: how long each field is, and where its buffers lie in the body. */
import { FormatError } from '../../bytes/formatError.js';
import { type ArrowMessage, MessageKind } from './arrowMessage.js';
import type { ArrowNode } from './arrowSchema.js';
import type { FlatBuffer, FlatTable, FlatVector } from './flatBuffer.js';

export type ArrowCompression = 'lz4' | 'zstd';

export interface RecordBatch {
  rows: number;
  compression: ArrowCompression | null;
  /** Set for the values of a dictionary. */
  dictionary: number | null;
  hasUnionValidity: boolean;
  /** Where the body begins in the file. */
  bodyOffset: number;
  bodyBytes: number;
  readonly buffer: FlatBuffer;
  /** Pairs of i64: length and nulls of each field. */
  readonly nodes: FlatVector;
  /** Pairs of i64: offset in the body and length of each buffer. */
  readonly buffers: FlatVector;
  /** Data buffers of each column of views. */
  readonly variadic: FlatVector;
}

const PAIR_BYTES = 16;

/** @throws FormatError `corrupt`, `unsupported` */
export function readRecordBatch(message: ArrowMessage): RecordBatch {
  const isDictionary = message.kind === MessageKind.dictionaryBatch;
  const table = isDictionary ? message.header.table(1) : message.header;
  if (table === undefined) throw new FormatError('corrupt', 'a dictionary without values', { offset: message.offset });
  const rows = table.i64(0);
  if (rows < 0) throw new FormatError('corrupt', `a batch of ${rows} rows`, { offset: message.offset });
  return {
    rows,
    compression: compressionOf(table),
    dictionary: isDictionary ? message.header.i64(0) : null,
    hasUnionValidity: message.hasUnionValidity,
    bodyOffset: message.bodyOffset,
    bodyBytes: message.bodyBytes,
    buffer: table.buffer,
    nodes: table.vector(1, PAIR_BYTES),
    buffers: table.vector(2, PAIR_BYTES),
    variadic: table.vector(4, 8),
  };
}

function compressionOf(table: FlatTable): ArrowCompression | null {
  const compression = table.table(3);
  if (compression === undefined) return null;
  const codec = compression.i8(0);
  if (codec !== 0 && codec !== 1)
    throw new FormatError('unsupported', `compression ${codec} of Arrow bodies`, { offset: table.buffer.fileOffset });
  return codec === 0 ? 'lz4' : 'zstd';
}

/** What a batch says of one field. */
export interface FieldLengths {
  length: number;
  nulls: number;
  /** Values that are there: without nulls, and without what lists of fixed size hold in place of a null. */
  values: number;
  /** Bytes of the buffers that hold values; offsets and validity are framing. */
  dataBytes: number;
  /** Place of its first buffer. */
  firstBuffer: number;
  /** Buffers of data after the first one: of views. */
  moreBuffers: number;
}

/**
 * Hands each field of a batch over, in the order of the nodes.
 * @throws FormatError `corrupt` where lengths, buffers and body do not agree
 */
export function walkFields(
  batch: RecordBatch,
  nodes: readonly ArrowNode[],
  use: (node: ArrowNode, field: FieldLengths) => void,
): void {
  if (batch.nodes.length !== nodes.length)
    throw corrupt(batch, `a batch has ${batch.nodes.length} fields, the schema ${nodes.length}`);
  const fields: FieldLengths[] = [];
  let nextBuffer = 0;
  let nextVariadic = 0;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as ArrowNode;
    const moreBuffers = node.type.physical === 'view' ? variadicCount(batch, nextVariadic++) : 0;
    const around = node.parent < 0 ? undefined : fields[node.parent];
    const field = lengthsOf(batch, index, around, nodes[node.parent]);
    field.firstBuffer = nextBuffer;
    field.moreBuffers = moreBuffers;
    nextBuffer += bufferCount(node, batch.hasUnionValidity) + moreBuffers;
    if (nextBuffer > batch.buffers.length) throw corrupt(batch, 'a batch has too few buffers');
    checkBuffers(batch, node, field, nextBuffer);
    fields.push(field);
    use(node, field);
  }
}

function lengthsOf(
  batch: RecordBatch,
  index: number,
  around: FieldLengths | undefined,
  parent: ArrowNode | undefined,
): FieldLengths {
  const at = batch.nodes.at + PAIR_BYTES * index;
  const length = batch.buffer.i64(at);
  const nulls = batch.buffer.i64(at + 8);
  if (length < 0 || nulls < 0 || nulls > length) throw corrupt(batch, `a field of ${length} values with ${nulls} nulls`);
  if (around === undefined && parent === undefined && length !== batch.rows)
    throw corrupt(batch, `a column of ${length} values in a batch of ${batch.rows} rows`);
  let values = length - nulls;
  if (around !== undefined && parent?.type.physical === 'fixedList') {
    const size = parent.type.listSize;
    if (length !== around.length * size) throw corrupt(batch, `${length} values in ${around.length} lists of ${size}`);
    values = Math.min(values, around.values * size);
  } else if (around !== undefined && parent?.type.physical === 'struct' && length !== around.length)
    throw corrupt(batch, `${length} values in ${around.length} structs`);
  return { length, nulls, values, dataBytes: 0, firstBuffer: 0, moreBuffers: 0 };
}

/** Buffers that a field has without those of views; a dictionary's indices count as what they are. */
function bufferCount({ type }: ArrowNode, hasUnionValidity: boolean): number {
  switch (type.physical) {
    case 'null':
    case 'runEnd':
      return 0;
    case 'fixedList':
    case 'struct':
      return 1;
    case 'fixed':
    case 'view':
    case 'list':
      return 2;
    case 'variable':
    case 'listView':
      return 3;
    case 'union':
      return (type.isDenseUnion ? 2 : 1) + (hasUnionValidity ? 1 : 0);
  }
}

/** Buffers lie in the body, and are as long as the lengths need them; those that are compressed tell only when they are read. */
function checkBuffers(batch: RecordBatch, node: ArrowNode, field: FieldLengths, end: number): void {
  const { type } = node;
  for (let index = field.firstBuffer; index < end; index++) {
    const { offset, length } = bufferOf(batch, index);
    if (offset < 0 || length < 0 || offset + length > batch.bodyBytes) throw corrupt(batch, 'a buffer reaches out of its batch');
    if (holdsValues(node, index - field.firstBuffer)) field.dataBytes += length;
  }
  if (batch.compression !== null || field.length === 0) return;
  const needed = neededBytes(node, field);
  needed.forEach((bytes, index) => {
    const has = bufferOf(batch, field.firstBuffer + index).length;
    if (has < bytes) throw corrupt(batch, `a buffer of ${has} bytes for ${field.length} values of ${type.text}`);
  });
  if (type.physical === 'fixed') field.dataBytes = Math.min(field.dataBytes, Math.ceil((field.length * type.bits) / 8));
}

function neededBytes({ type }: ArrowNode, { length, nulls }: FieldLengths): number[] {
  const validity = nulls > 0 ? Math.ceil(length / 8) : 0;
  if (type.physical === 'fixed' || type.physical === 'view') return [validity, Math.ceil((length * type.bits) / 8)];
  if (type.physical === 'variable' || type.physical === 'list') return [validity, (length + 1) * type.offsetBytes];
  if (type.physical === 'listView') return [validity, length * type.offsetBytes, length * type.offsetBytes];
  return [];
}

function holdsValues({ type }: ArrowNode, index: number): boolean {
  if (type.physical === 'variable') return index === 2;
  return (type.physical === 'fixed' || type.physical === 'view') && index >= 1;
}

/** Where a buffer lies in the body. */
export function bufferOf({ buffer, buffers }: RecordBatch, index: number): { offset: number; length: number } {
  const at = buffers.at + PAIR_BYTES * index;
  return { offset: buffer.i64(at), length: buffer.i64(at + 8) };
}

function variadicCount(batch: RecordBatch, index: number): number {
  if (index >= batch.variadic.length) throw corrupt(batch, 'a column of views without the number of its buffers');
  const count = batch.buffer.i64(batch.variadic.at + 8 * index);
  if (count < 0 || count > batch.buffers.length) throw corrupt(batch, `a column of views with ${count} buffers`);
  return count;
}

function corrupt(batch: RecordBatch, detail: string): FormatError {
  return new FormatError('corrupt', detail, { offset: batch.buffer.fileOffset });
}
