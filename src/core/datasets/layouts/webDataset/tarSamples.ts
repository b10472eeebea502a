/** Samples of one tar archive as WebDataset groups them (webdataset/tariterators.py): consecutive members with the same name up to the first dot. */
import { NumberColumn } from '../../../bytes/numberColumn.js';
import { elementCount } from '../../../bytes/checkedInteger.js';
import { FormatError } from '../../../bytes/formatError.js';
import type { ForwardReader } from '../../../bytes/forwardReader.js';
import { parseNpyHeader, type NpyHeader } from '../../../formats/npy.js';
import type { TarMember } from '../../../formats/tar.js';
import type { ShardColumn } from '../../datasetParts.js';
import { roleOfColumn, settleRoles, type ColumnShape } from '../../columnRole.js';
import type { ColumnRole } from '../../../report/datasetReport.js';

/** Extensions that are told apart; a file may have any number of them. */
const MAX_COLUMNS = 64;
/** Members of text whose places are kept for samples of their text: 16 bytes each. */
const MAX_PLACES = 1_000_000;
/** numpy pads headers to 64 bytes, and nearly all take 128. */
const NPY_HEADER_BYTES = 128;

const textExtension = /^(.*\.)?(txt|text|transcript|caption|md|html|xml|tex|py|jsonl)$/;

const integers = /^[iu](8|16|32|64)$/;
const wideIntegers = /^[iu](16|32|64)$/;

interface ExtensionColumn {
  name: string;
  shape: ColumnShape;
  role: ColumnRole;
  dtype: string | null;
  members: number;
  bytes: number;
  elements: number;
}

export class TarSamples {
  samples = 0;
  members = 0;
  /** Members of text: where each begins, and its bytes. */
  readonly textOffsets = new NumberColumn();
  readonly textSizes = new NumberColumn();
  /** Arrays whose headers could not be read. */
  damagedArrays = 0;
  private key: string | undefined;
  private readonly columns = new Map<string, ExtensionColumn>();

  /** Takes the next member. */
  add(member: TarMember, reader: ForwardReader): void | Promise<void> {
    if (!member.isFile) return;
    this.members += 1;
    const slash = member.name.lastIndexOf('/');
    const dot = member.name.indexOf('.', slash + 2);
    const isNamed = dot !== -1 && member.name[slash + 1] !== '.' && !/^__[^/]*__($|\/)/.test(member.name);
    if (!isNamed) {
      this.count('(no sample)', 'other', null, member.bytes, 0);
      return;
    }
    const key = member.name.slice(0, dot);
    const extension = member.name.slice(dot + 1).toLowerCase();
    if (key !== this.key) this.samples += 1;
    this.key = key;
    if (extension === 'npy' || extension.endsWith('.npy')) return this.addArray(extension, member, reader);
    const isText = textExtension.test(extension);
    this.count(extension, isText ? 'text' : 'other', null, member.bytes, 1);
    if (!isText || this.textOffsets.length >= MAX_PLACES) return;
    this.textOffsets.push(member.offset);
    this.textSizes.push(member.bytes);
  }

  private async addArray(extension: string, { offset, bytes }: TarMember, reader: ForwardReader): Promise<void> {
    const header = await arrayHeader(offset, bytes, reader);
    if (header === undefined) {
      this.damagedArrays += 1;
      this.count(extension, 'bytes', null, bytes, 0);
      return;
    }
    // Bytes in two dimensions are pictures.
    const isTokenLike =
      header.shape.length === 1 ? integers.test(header.dtype) : header.shape.length === 2 && wideIntegers.test(header.dtype);
    this.count(
      extension,
      isTokenLike ? 'integers' : 'other',
      header.dtype,
      bytes,
      elementCount(header.shape) ?? 0,
      header.headerBytes,
    );
  }

  private count(name: string, shape: ColumnShape, dtype: string | null, bytes: number, elements: number, headerBytes = 0): void {
    const known = this.columns.has(`${name}\n${dtype}`) || this.columns.size < MAX_COLUMNS;
    const key = known ? `${name}\n${dtype}` : '(others)\nnull';
    let column = this.columns.get(key);
    if (column === undefined) {
      const own = known ? name : '(others)';
      const plain = own.replace(/\.?npy$/, '');
      // An array without a name of its own is what the sample is about.
      const role =
        shape === 'text' ? 'text' : shape !== 'integers' ? 'value' : plain === '' ? 'tokens' : roleOfColumn(plain, shape);
      column = {
        name: own,
        shape: known ? shape : 'other',
        role,
        dtype: known ? dtype : null,
        members: 0,
        bytes: 0,
        elements: 0,
      };
      this.columns.set(key, column);
    }
    column.members += 1;
    column.bytes += bytes - headerBytes;
    column.elements += elements;
  }

  /**
   * Columns by extension, with the tokens among them.
   * @param isCompressed true where bytes on disk are not those of the members
   */
  result(isCompressed: boolean): { columns: ShardColumn[]; tokens: number | null } {
    const found = [...this.columns.values()];
    settleRoles(found);
    const tokenColumns = found.filter(({ role }) => role === 'tokens');
    return {
      tokens:
        tokenColumns.length === 0 || this.damagedArrays > 0
          ? null
          : tokenColumns.reduce((sum, { elements }) => sum + elements, 0),
      columns: found.map(({ name, shape, role, dtype, members, bytes, elements }) => ({
        name,
        type: dtype === null ? (shape === 'text' ? 'text' : 'member') : `array<${dtype}>`,
        dtype,
        role,
        values: dtype === null ? members : elements,
        bytes: isCompressed ? null : bytes,
        logicalBytes: bytes,
      })),
    };
  }
}

async function arrayHeader(offset: number, bytes: number, reader: ForwardReader): Promise<NpyHeader | undefined> {
  const left = Math.min(bytes, reader.sizeBytes - offset);
  try {
    for (const length of [NPY_HEADER_BYTES, 4096]) {
      const header = left <= 0 ? undefined : parseNpyHeader(await reader.at(offset, Math.min(length, left)));
      if (header !== undefined) return header.headerBytes + (header.dataBytes ?? 0) === bytes ? header : undefined;
    }
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
  }
  return undefined;
}
