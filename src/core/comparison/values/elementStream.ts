/** The values of one side of a pair, chunk by chunk, in the order of its extents. */
import { FormatError } from '../../bytes/formatError.js';
import { chunkElements, type NumberDecoder } from '../../values/numberAccumulator.js';
import { Unpacking } from '../../values/unpacking.js';
import type { ValueExtent } from '../../values/valueExtent.js';
import type { WindowedFiles } from './windowedFiles.js';

type Numbers = Float32Array | Float64Array;

/** Bytes of one read. */
const blockBytes = 1024 * 1024;

export class ElementStream {
  bytesRead = 0;
  private extent = 0;
  private offset = 0;
  /** Whole or cut units that are not decoded yet. */
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private unpacking: Unpacking | undefined;
  private unitsBefore = 0;
  private readonly fileCount: number;

  constructor(
    private readonly extents: readonly ValueExtent[],
    private readonly decoder: NumberDecoder,
    private readonly files: WindowedFiles,
  ) {
    this.fileCount = new Set(extents.map(({ path }) => path)).size;
  }

  /**
   * The next values, at most `chunkElements`; undefined at the end. They stay until the next call.
   * @throws FormatError `io`, `truncated`, `cancelled`, and `corrupt` for compressed bytes that do not unpack
   */
  async next(): Promise<Numbers | undefined> {
    const { unitBytes, unitElements } = this.decoder;
    while (this.bytes.byteLength - this.at < unitBytes) if (!(await this.fill())) return undefined;
    const whole = Math.floor((this.bytes.byteLength - this.at) / unitBytes);
    const units = Math.min(whole, Math.max(1, Math.floor(chunkElements / unitElements)));
    const chunk = this.bytes.subarray(this.at, this.at + units * unitBytes);
    this.at += chunk.byteLength;
    const numbers = this.decoder.decode(chunk, this.unitsBefore);
    this.unitsBefore += units;
    return numbers;
  }

  /** Reads the next block behind what is left; false at the end. */
  private async fill(): Promise<boolean> {
    const extent = this.extents[this.extent];
    if (extent === undefined) return false;
    const length = Math.min(blockBytes, extent.bytes - this.offset);
    if (length <= 0) {
      this.extent += 1;
      this.offset = 0;
      this.unpacking = undefined;
      return true;
    }
    const rest = this.bytes.slice(this.at);
    const block = await this.files.read(extent.path, extent.offset + this.offset, length, this.fileCount);
    this.offset += length;
    this.bytesRead += length;
    this.bytes = joined([rest, ...this.unpacked(extent, block)]);
    this.at = 0;
    return true;
  }

  private unpacked(extent: ValueExtent, block: Uint8Array): Uint8Array[] {
    if (extent.packed === undefined) return [block];
    const parts: Uint8Array[] = [];
    this.sink = (bytes) => parts.push(bytes.slice());
    this.unpacking ??= new Unpacking(extent, extent.packed, (bytes) => this.sink(bytes));
    const detail = this.unpacking.push(block);
    if (detail !== null) throw new FormatError('corrupt', detail, { offset: extent.offset });
    return parts;
  }

  private sink: (bytes: Uint8Array) => void = () => undefined;
}

/** A single part is not copied. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter(({ byteLength }) => byteLength > 0);
  if (filled.length === 1) return filled[0] as Uint8Array;
  const all = new Uint8Array(filled.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of filled) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}
