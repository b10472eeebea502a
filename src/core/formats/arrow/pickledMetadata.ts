/**
 * Values of metadata that are pickles: those of the extension type that pyarrow before 14.0.1 loads when it opens the schema
 * (python/pyarrow/types.pxi, PyExtensionType; CVE-2023-47248), and any other that begins as one, as the schemas of petastorm do.
 */
import { decodeBase64 } from '../../bytes/base64.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FileImports } from '../pickle/imports/fileImports.js';
import { isPickle } from '../pickle/pickleHead.js';
import { FlatBuffer, type FlatTable } from './flatBuffer.js';

/** A value that is a pickle. */
export interface PickledValue {
  key: string;
  bytes: Uint8Array;
  /** Where it begins in the file; undefined for what was decoded. */
  offset: number | undefined;
}

/** The pickled values of one file, within the limits. */
export class PickledMetadata {
  readonly values: PickledValue[] = [];
  /** Bytes of those beyond the limit. */
  leftOutBytes = 0;
  private pairs = 0;

  /** Adds those of the key-value pairs of a field or a schema. */
  addPairs(table: FlatTable, field: number, isInFile: boolean): void {
    const values: PickledValue[] = [];
    let isExtension = false;
    for (const pair of table.tables(field)) {
      // Offsets may lead to one list of pairs from every field.
      if (++this.pairs > limits.schemaFields) return;
      const { at, length } = pair.vector(1, 1);
      const { buffer } = table;
      const bytes = buffer.bytes.subarray(at, at + length);
      const isName = length === EXTENSION_TYPE.length && pair.text(1) === EXTENSION_TYPE;
      if (isName && pair.text(0) === 'ARROW:extension:name') isExtension = true;
      else
        values.push({
          key: pair.text(0).slice(0, limits.objectTextLength),
          bytes,
          offset: isInFile ? buffer.fileOffset + at : undefined,
        });
    }
    for (const value of values)
      if ((isExtension && value.key === 'ARROW:extension:metadata') || isPickle(value.bytes)) this.add(value);
  }

  /** Adds a value that is a pickle. */
  add(value: PickledValue): void {
    if (this.values.length < limits.pickledMetadata) this.values.push(value);
    else this.leftOutBytes += value.bytes.byteLength;
  }

  /** Adds those of a schema in base64, as Parquet has it under `ARROW:schema`. What is no schema is left. */
  addEncoded(base64: string): void {
    // pyarrow decodes up to the first character that is none.
    const all = /^[A-Za-z0-9+/]*/.exec(base64)?.[0] ?? '';
    const digits = all.length % 4 === 1 ? all.slice(0, -1) : all;
    const bytes = decodeBase64(digits.padEnd(Math.ceil(digits.length / 4) * 4, '='));
    if (bytes === undefined || bytes.byteLength < 8) return;
    const start = bytes[0] === 0xff && bytes[3] === 0xff ? 8 : 4;
    try {
      const schema = new FlatBuffer(bytes.subarray(start), 0).root().table(2);
      if (schema !== undefined) this.addSchema(schema, false);
    } catch (error) {
      if (!FormatError.is(error)) throw error;
    }
  }

  /** Adds those of a schema and of all of its fields. */
  addSchema(schema: FlatTable, isInFile: boolean): void {
    this.addPairs(schema, 2, isInFile);
    const open: { field: FlatTable; depth: number }[] = [];
    let fields = 0;
    const push = (table: FlatTable, member: number, depth: number): void => {
      if (depth > limits.schemaDepth) return;
      for (const field of table.tables(member)) {
        if (++fields > limits.schemaFields) return;
        open.push({ field, depth });
      }
    };
    push(schema, 1, 0);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.addPairs(next.field, 6, isInFile);
      push(next.field, 5, next.depth + 1);
    }
  }

  /** Scans all of them. */
  scanInto(imports: FileImports): void {
    for (const { bytes, offset } of this.values) imports.scan(bytes, offset);
    if (this.leftOutBytes > 0) imports.leaveOut('the metadata', this.leftOutBytes, 'more pickles than are scanned');
  }
}

const EXTENSION_TYPE = 'arrow.py_extension_type';
