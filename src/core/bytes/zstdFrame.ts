/**
 * One frame of Zstandard, block by block. fzstd moves its whole window for each block: 128 MiB for a block of a byte. Here the window is a view of a history
 * that grows with what comes out and is moved once in a while, so that each byte is moved a bounded number of times.
 */
import { Decompress } from 'fzstd';
import { FormatError } from './formatError.js';
import { checkZstdBlock } from './zstdBlock.js';
import type { ZstdFrameHeader } from './zstdHeader.js';

/** What fzstd 0.1.1 keeps of a frame: its window, and how long that is. */
interface FrameState {
  w: Uint8Array;
  e: number;
}

const FIRST_HISTORY_BYTES = 64 * 1024;

/**
 * The longest form of a header, 18 bytes, as fzstd waits for as many: the usual window of a block, no checksum, no dictionary, a content size that
 * is not looked at (RFC 8878, 3.1.1.1).
 */
const HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xc3, 7 << 3, ...new Array<number>(12).fill(0));

export class ZstdFrame {
  private readonly decoder: Decompress;
  private readonly state: FrameState;
  private history = new Uint8Array(FIRST_HISTORY_BYTES);
  private end = 0;

  /**
   * @param add takes what comes out; its bytes are used again
   * @throws FormatError `unsupported`
   */
  constructor(
    private readonly header: ZstdFrameHeader,
    add: (block: Uint8Array) => void,
  ) {
    if (header.dictionaryId !== 0) throw new FormatError('unsupported', 'a Zstandard frame needs a dictionary');
    this.decoder = new Decompress((block) => {
      this.keep(block);
      // What fzstd puts into its window from here on is not needed.
      this.state.w = block;
      add(block);
    });
    this.decoder.push(HEADER);
    this.state = (this.decoder as unknown as { s: FrameState }).s;
  }

  /**
   * Decompresses one block with its header of three bytes.
   * @throws FormatError `corrupt`, or an error of fzstd
   */
  push(block: Uint8Array): void {
    checkZstdBlock(block);
    const from = Math.max(0, this.end - this.header.windowBytes);
    this.state.w = this.history.subarray(from, this.end);
    this.state.e = this.end - from;
    this.decoder.push(block);
  }

  private keep(block: Uint8Array): void {
    if (this.end + block.byteLength > this.history.byteLength) this.makeRoom(block.byteLength);
    this.history.set(block, this.end);
    this.end += block.byteLength;
  }

  /** As much room as there is history, so that moving it is paid for by what comes next. */
  private makeRoom(bytes: number): void {
    const kept = Math.min(this.header.windowBytes, this.end);
    const wanted = 2 * (kept + bytes);
    const target = wanted > this.history.byteLength ? new Uint8Array(wanted) : this.history;
    if (target === this.history) target.copyWithin(0, this.end - kept, this.end);
    else target.set(this.history.subarray(this.end - kept, this.end));
    this.history = target;
    this.end = kept;
  }
}
