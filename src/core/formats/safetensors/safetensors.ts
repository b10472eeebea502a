/**
 * safetensors: u64 header length N (little-endian), N bytes of JSON, then the tensors' bytes.
 *
 * The header is scanned as bytes, straight into the tensor table: a checkpoint of 192,000 tensors has 24 MB of headers, and
 * JSON.parse would make a million objects of them. Layout and rules follow the reference reader
 * (github.com/huggingface/safetensors, safetensors/src/tensor.rs), but nothing that it refuses makes us stop: each broken rule
 * is a finding and the rest is still listed.
 */
import { codeOfYaml } from '../loaderCode/targetCode.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount, toSafeInteger } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeStrictText, decodeText, encodeText } from '../../bytes/text.js';
import { bitsOfDtype } from '../../tensors/dtype.js';
import type { ComponentId } from '../../tensors/component.js';
import type { FileFinding } from '../../findings/finding.js';
import { classify, type FileSink } from '../sink/fileSink.js';
import { JsonScanner } from '../text/jsonScanner.js';

const LENGTH_BYTES = 8;
const BRACE = 0x7b;

const dtypeNames: Record<string, string> = {
  BOOL: 'bool',
  F4: 'f4',
  F6_E2M3: 'f6_e2m3',
  F6_E3M2: 'f6_e3m2',
  U8: 'u8',
  I8: 'i8',
  F8_E5M2: 'f8_e5m2',
  F8_E4M3: 'f8_e4m3',
  F8_E8M0: 'f8_e8m0',
  F8_E4M3FNUZ: 'f8_e4m3fnuz',
  F8_E5M2FNUZ: 'f8_e5m2fnuz',
  I16: 'i16',
  U16: 'u16',
  F16: 'f16',
  BF16: 'bf16',
  I32: 'i32',
  U32: 'u32',
  F32: 'f32',
  C64: 'c64',
  F64: 'f64',
  I64: 'i64',
  U64: 'u64',
};

/** What lies between the values when serde_json wrote the header. */
const usual = {
  dtype: encodeText('{"dtype":'),
  shape: encodeText(',"shape":['),
  comma: encodeText(','),
  offsets: encodeText('],"data_offsets":['),
  end: encodeText(']}'),
};

/** True for a length that a header may have, and the brace that begins every header. */
export function isSafetensors(head: Uint8Array): boolean {
  if (head.byteLength <= LENGTH_BYTES) return false;
  const declared = new DataView(head.buffer, head.byteOffset).getBigUint64(0, true);
  return declared >= 2n && declared <= BigInt(limits.safetensorsHeaderBytes) && head[LENGTH_BYTES] === BRACE;
}

/**
 * Lists a file's tensors into the sink. Two reads: the length, then the header.
 * @throws FormatError `truncated` when the file ends inside its header, `limit-exceeded` or `not-this-format`
 */
export async function readSafetensors(source: ByteSource, sink: FileSink): Promise<void> {
  const headerBytes = await readHeaderLength(source, sink.signal);
  const header = await source.read(LENGTH_BYTES, headerBytes, sink.signal);
  await sink.turn();
  scanHeader(header, source.sizeBytes, sink);
}

async function readHeaderLength(source: ByteSource, signal: AbortSignal | undefined): Promise<number> {
  if (source.sizeBytes < LENGTH_BYTES) {
    throw new FormatError('truncated', `a file of ${source.sizeBytes} bytes has no room for the header's length`, { offset: 0 });
  }
  const start = await source.read(0, LENGTH_BYTES, signal);
  // Letters in place of a length make one that no file has.
  if (start.every(isTextByte)) throw new FormatError('not-this-format', 'it begins with text', { offset: 0 });
  const declared = new DataView(start.buffer, start.byteOffset, LENGTH_BYTES).getBigUint64(0, true);
  const headerBytes = toSafeInteger(declared, 'the header length', 0);
  // The size of the file bounds what may be allocated, whatever the header claims.
  if (headerBytes > source.sizeBytes - LENGTH_BYTES) {
    throw new FormatError('truncated', `the header is said to take ${headerBytes} bytes, the file has ${source.sizeBytes}`, {
      offset: 0,
    });
  }
  if (headerBytes > limits.safetensorsHeaderBytes) {
    throw new FormatError('limit-exceeded', `the header takes ${headerBytes} bytes`, { offset: 0 });
  }
  if (headerBytes < 2) throw new FormatError('not-this-format', 'the header is empty', { offset: 0 });
  return headerBytes;
}

/** ASCII without control characters, but with tab and line ends. */
function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function scanHeader(header: Uint8Array, fileBytes: number, sink: FileSink): void {
  const scan = new HeaderScan(header, sink);
  let isWhole = true;
  try {
    scan.run();
  } catch (error) {
    if (!FormatError.is(error, 'corrupt')) throw error;
    isWhole = false;
    const at = LENGTH_BYTES + (error.offset ?? 0);
    sink.finding({ code: 'header-corrupt', offset: at, facts: { detail: error.detail } });
    sink.unexplained(at, LENGTH_BYTES + header.byteLength - at);
  }
  // Strings were copied as bytes; only a header with bytes above 0x7f can be wrong UTF-8.
  if (scan.sawNonAscii && decodeStrictText(header) === undefined) {
    sink.finding({ code: 'header-corrupt', offset: LENGTH_BYTES, facts: { detail: 'the header is not UTF-8' } });
  }
  const dataStart = LENGTH_BYTES + header.byteLength;
  if (!isWhole || scan.packedEnd !== fileBytes - dataStart) checkExtents(sink, scan.firstRow, dataStart, fileBytes, isWhole);
}

/** A dtype as the table and the size check need it. */
interface HeaderDtype {
  index: number;
  /** Undefined for a dtype that is not known. */
  bits: number | undefined;
}

/** A tensor of the header, as far as it was read. One object serves all of them: there may be a million. */
interface ScannedTensor {
  /** Place of its name in the header, without the quotes. */
  nameStart: number;
  nameEnd: number;
  /** Whether the name has escapes. */
  isEscaped: boolean;
  /** Place of its value in the header. */
  at: number;
  dtype: HeaderDtype;
  /** Counted from where the data start. */
  begin: number;
  end: number;
}

/** One pass over the header's JSON. */
class HeaderScan {
  readonly firstRow: number;
  /** Where the data end, counted from their start, as long as each tensor begins where the last one ended; -1 once one does not. */
  packedEnd = 0;
  private readonly json: JsonScanner;
  private readonly constant: ComponentId | undefined;
  private readonly dataStart: number;
  /** Up to `limits.tensorRank` dimensions of the current tensor. */
  private readonly shape: number[] = [];
  /** How many dimensions it declares. */
  private rank = 0;
  private readonly current: ScannedTensor = {
    nameStart: 0,
    nameEnd: 0,
    isEscaped: false,
    at: 0,
    dtype: { index: 0, bits: undefined },
    begin: 0,
    end: 0,
  };
  private lastDtypeStart = 0;
  private lastDtypeEnd = 0;
  private lastDtype: HeaderDtype = { index: 0, bits: undefined };

  constructor(
    private readonly header: Uint8Array,
    private readonly sink: FileSink,
  ) {
    this.json = new JsonScanner(header);
    this.firstRow = sink.tensors.size;
    this.constant = typeof sink.classify === 'string' ? sink.classify : undefined;
    this.dataStart = LENGTH_BYTES + header.byteLength;
  }

  get sawNonAscii(): boolean {
    return this.json.sawNonAscii;
  }

  run(): void {
    const { json } = this;
    json.eachMember(() => {
      const { stringStart: start, stringEnd: end, stringEscaped: escaped } = json;
      if (!escaped && end - start === 12 && decodeText(this.header, start, end) === '__metadata__') this.scanMetadata();
      else {
        const { current } = this;
        current.nameStart = start;
        current.nameEnd = end;
        current.isEscaped = escaped;
        current.at = json.position;
        this.scanTensor();
      }
    });
    json.expectEnd();
  }

  private scanMetadata(): void {
    const { json } = this;
    let texts = 0;
    json.eachMember(() => {
      texts += 1;
      if (texts > limits.headerTexts) {
        json.skipValue();
        return;
      }
      const key = json.stringText();
      if (!json.atString()) throw json.corrupt('a value of __metadata__ is no text');
      json.scanString();
      const text = json.stringText();
      this.sink.metadata(key, text);
      // Trainers put their config there, whose targets some instantiate again.
      if (text.includes('_target_') || text.includes('python/'))
        for (const finding of codeOfYaml(text)) this.sink.finding({ ...finding, offset: 0 });
    });
    if (texts > limits.headerTexts)
      this.sink.finding({
        code: 'header-too-large',
        facts: { detail: `__metadata__ has ${texts} texts, of which ${limits.headerTexts} are read` },
      });
  }

  private scanTensor(): void {
    if (!this.scanUsualTensor()) {
      this.json.rewind(this.current.at);
      this.scanAnyTensor();
    }
    this.add();
  }

  /** The reference writer's own form, in its order and without space; false when it is any other. Twice as fast as the general way. */
  private scanUsualTensor(): boolean {
    const { json, shape, current } = this;
    if (!json.skipBytes(usual.dtype) || !json.atString()) return false;
    json.scanString();
    const { stringStart, stringEnd } = json;
    if (!json.skipBytes(usual.shape)) return false;
    shape.length = 0;
    // A scalar has an empty shape.
    if (!json.skipBytes(usual.offsets)) {
      do {
        const size = json.tryUint();
        if (size === -1) return false;
        shape.push(size);
        if (shape.length > limits.tensorRank) return false;
      } while (json.skipBytes(usual.comma));
      if (!json.skipBytes(usual.offsets)) return false;
    }
    this.rank = shape.length;
    const begin = json.tryUint();
    if (begin === -1 || !json.skipBytes(usual.comma)) return false;
    const end = json.tryUint();
    if (end === -1 || !json.skipBytes(usual.end)) return false;
    current.dtype = this.dtypeOf(stringStart, stringEnd);
    current.begin = begin;
    current.end = end;
    return true;
  }

  private scanAnyTensor(): void {
    const { json, shape, current } = this;
    let hasDtype = false;
    let hasShape = false;
    shape.length = 0;
    current.begin = -1;
    current.end = -1;
    json.eachMember(() => {
      const field = this.header[json.stringStart];
      const length = json.stringEnd - json.stringStart;
      if (length === 5 && field === 0x64 /* dtype */) {
        json.scanString();
        hasDtype = true;
        current.dtype = this.dtypeOf(json.stringStart, json.stringEnd);
      } else if (length === 5 && field === 0x73 /* shape */) {
        hasShape = true;
        shape.length = 0;
        this.rank = 0;
        json.eachUint((size) => {
          this.rank += 1;
          if (this.rank <= limits.tensorRank) shape.push(size);
        });
      } else if (length === 12 && field === 0x64 /* data_offsets */) {
        let count = 0;
        json.eachUint((offset) => {
          if (count === 0) current.begin = offset;
          else current.end = offset;
          count += 1;
        });
        if (count !== 2) throw json.corrupt('data_offsets are not two numbers');
      } else {
        json.skipValue();
      }
    });
    if (!hasDtype || !hasShape || current.end === -1) {
      throw new FormatError('corrupt', 'a tensor lacks its dtype, shape or data_offsets', { offset: current.at });
    }
  }

  private add(): void {
    const { sink, shape } = this;
    const { dtype, begin, end } = this.current;
    const bytes = Math.max(0, end - begin);
    this.addRow(bytes);
    if (this.rank > limits.tensorRank)
      this.finding({ code: 'tensor-rank-limit', facts: { tensor: this.name(), rank: this.rank } });
    for (const size of shape) sink.tensors.addDimension(size);
    sink.tensors.addPiece(sink.file, this.dataStart + begin, bytes);
    this.packedEnd = begin === this.packedEnd && end >= begin ? end : -1;
    let elements = 1;
    for (const size of shape) elements *= size;
    // The usual case: a known dtype, an exact product, the right size.
    if (dtype.bits === undefined || elements > Number.MAX_SAFE_INTEGER || elements * dtype.bits !== (end - begin) * 8) {
      this.checkSize();
    }
  }

  private addRow(bytes: number): void {
    const { sink, constant } = this;
    const { nameStart, nameEnd, isEscaped, dtype } = this.current;
    const name = isEscaped || constant === undefined ? this.name() : '';
    const { component, part } = constant === undefined ? classify(sink, [name]) : { component: constant, part: 'whole' as const };
    if (isEscaped) {
      const decoded = encodeText(name);
      sink.tensors.addEncoded(decoded, 0, decoded.byteLength, dtype.index, bytes, component, part);
    } else sink.tensors.addEncoded(this.header, nameStart, nameEnd, dtype.index, bytes, component, part);
  }

  private checkSize(): void {
    const { dtype, begin, end } = this.current;
    const elements = elementCount(this.shape);
    if (elements === undefined) {
      this.finding({ code: 'tensor-shape-overflow', facts: { tensor: this.name() } });
      return;
    }
    const wanted = dtype.bits === undefined ? undefined : Math.ceil((elements * dtype.bits) / 8);
    if (end < begin || (wanted !== undefined && wanted !== end - begin)) {
      const facts = { tensor: this.name(), expectedBytes: wanted ?? 0, bytes: end - begin };
      this.finding({ code: 'tensor-size-mismatch', facts });
    }
  }

  private name(): string {
    const { nameStart, nameEnd, isEscaped } = this.current;
    return this.json.textOf(nameStart, nameEnd, isEscaped);
  }

  /** A finding at the current tensor. */
  private finding(finding: FileFinding): void {
    this.sink.finding({ ...finding, offset: LENGTH_BYTES + this.current.at });
  }

  /** Neighbours nearly always share a dtype: the last one is compared as bytes before a string is made. */
  private dtypeOf(start: number, end: number): HeaderDtype {
    const { header } = this;
    const length = end - start;
    if (length === this.lastDtypeEnd - this.lastDtypeStart) {
      let at = 0;
      while (at < length && header[start + at] === header[this.lastDtypeStart + at]) at += 1;
      if (at === length) return this.lastDtype;
    }
    const stored = decodeText(header, start, end);
    const known = Object.hasOwn(dtypeNames, stored) ? dtypeNames[stored] : undefined;
    if (known === undefined) this.sink.finding({ code: 'dtype-unknown', offset: LENGTH_BYTES + start, facts: { dtype: stored } });
    const name = known ?? stored.toLowerCase();
    this.lastDtypeStart = start;
    this.lastDtypeEnd = end;
    this.lastDtype = { index: this.sink.tensors.dtypeIndex(name), bits: bitsOfDtype(name) };
    return this.lastDtype;
  }
}

/**
 * The reference's rule: sorted by offset, tensors begin at 0, follow each other without hole or overlap, and end with the file.
 * Of a header that broke off, the tensors that were not read leave holes that mean nothing.
 */
function checkExtents(sink: FileSink, firstRow: number, dataStart: number, fileBytes: number, isWhole: boolean): void {
  const { tensors } = sink;
  const order = rowsByOffset(sink, firstRow);
  let cursor = dataStart;
  for (let index = firstRow; index < tensors.size; index++) {
    const row = order === undefined ? index : (order[index - firstRow] as number);
    const piece = tensors.firstPieceOf(row);
    const begin = tensors.pieceOffset(piece);
    const end = begin + tensors.pieceSize(piece);
    if (begin > cursor) {
      const gapEnd = Math.min(begin, fileBytes);
      if (cursor < gapEnd) sink.unexplained(cursor, gapEnd - cursor);
      if (isWhole)
        sink.finding({ code: 'tensor-gap', offset: cursor, facts: { tensor: tensors.nameOf(row), bytes: begin - cursor } });
    } else if (begin < cursor && end > begin) {
      sink.finding({
        code: 'tensor-overlap',
        offset: begin,
        facts: { tensor: tensors.nameOf(row), bytes: Math.min(cursor, end) - begin },
      });
    }
    cursor = Math.max(cursor, end);
  }
  if (cursor > fileBytes) {
    sink.finding({
      code: 'file-truncated',
      offset: fileBytes,
      facts: { expectedBytes: cursor, bytes: fileBytes },
    });
  } else if (cursor < fileBytes) {
    sink.unexplained(cursor, fileBytes - cursor);
    if (isWhole) sink.finding({ code: 'file-too-long', offset: cursor, facts: { expectedBytes: cursor, bytes: fileBytes } });
  }
}

/** Rows of the file by offset; undefined where they are in order already, as writers store them. */
function rowsByOffset({ tensors }: FileSink, firstRow: number): Uint32Array | undefined {
  const offsetOf = (row: number): number => tensors.pieceOffset(tensors.firstPieceOf(row));
  const endOf = (row: number): number => offsetOf(row) + tensors.pieceSize(tensors.firstPieceOf(row));
  let last = 0;
  for (let row = firstRow; row < tensors.size; row++) {
    const offset = offsetOf(row);
    if (offset < last) {
      const order = Uint32Array.from({ length: tensors.size - firstRow }, (_, index) => firstRow + index);
      return order.sort((a, b) => offsetOf(a) - offsetOf(b) || endOf(a) - endOf(b));
    }
    last = offset;
  }
  return undefined;
}
