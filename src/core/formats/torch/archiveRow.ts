/**
 * Torch archives one after the other in one file, without an index: what a `.distcp` is when its `.metadata` was never written. The
 * archives are walked record by record; sizes of payloads come from each one's own pickle, as local headers have none.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import type { FileImports } from '../pickle/imports/fileImports.js';
import { runPickle, type PickleResult } from '../pickle/pickleMachine.js';
import { storageSizesOf } from './torchStorages.js';
import { tensorOf } from './torchTensor.js';

/** One archive of the row. */
export interface RowItem {
  offset: number;
  bytes: number;
  /** What it holds, where that is one tensor. */
  tensor: { dtype: string; shape: number[] } | undefined;
}

/** Enough for the pickle and the small records of nearly all items. */
const WINDOW_BYTES = 4 * 1024;
const MAX_WINDOW_BYTES = 64 * 1024;

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const END = 0x06054b50;

/**
 * The archives of a file, up to `maxItems`, as far as the file goes. What their pickles import is added to `imports`.
 * @throws FormatError `corrupt` where something else than an archive begins, `truncated` where one does not end
 */
export async function* walkArchiveRow(
  source: ByteSource,
  maxItems: number,
  imports: FileImports,
  signal?: AbortSignal,
): AsyncGenerator<RowItem> {
  const window = new Window(source, imports, signal);
  let offset = 0;
  for (let count = 0; count < maxItems && offset < source.sizeBytes; count++) {
    const { pickle, end } = await walkArchive(window, offset);
    const tensor = tensorOf(pickle.root);
    yield { offset, bytes: end - offset, tensor: tensor && { dtype: tensor.dtype, shape: tensor.shape } };
    offset = end;
  }
}

async function walkArchive(window: Window, start: number): Promise<{ pickle: PickleResult; end: number }> {
  let pickle: PickleResult | undefined;
  let sizes = new Map<string, number>();
  let at = start;
  for (;;) {
    const signature = await window.uint32(at);
    if (signature === LOCAL_HEADER) {
      const nameLength = await window.uint16(at + 26);
      const data = at + 30 + nameLength + (await window.uint16(at + 28));
      const name = await window.text(at + 30, nameLength);
      const key = name.slice(name.indexOf('/') + 1);
      if (pickle === undefined) {
        pickle = await window.pickle(data);
        sizes = storageSizesOf(pickle);
        at = await window.descriptorEnd(pickle.end);
      } else {
        const size = key.startsWith('data/') ? sizes.get(key.slice(5)) : undefined;
        at = size === undefined ? await window.descriptorAfter(data) : await window.descriptorEnd(data + size);
      }
    } else if (signature === DIRECTORY_ENTRY) {
      at += 46 + (await window.uint16(at + 28)) + (await window.uint16(at + 30)) + (await window.uint16(at + 32));
    } else if (signature === END64) at += 56;
    else if (signature === LOCATOR64) at += 20;
    else if (signature === END && pickle !== undefined) return { pickle, end: at + 22 };
    else throw new FormatError('corrupt', 'no archive of torch.save', { offset: at });
  }
}

/** A few KB of the file from where the walk is. It goes forward only, so that no byte is read twice. */
class Window {
  private start = 0;
  private bytes: Uint8Array = new Uint8Array(0);

  constructor(
    private readonly source: ByteSource,
    private readonly imports: FileImports,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async uint16(at: number): Promise<number> {
    const from = await this.hold(at, 2);
    return (this.bytes[from] as number) | ((this.bytes[from + 1] as number) << 8);
  }

  async uint32(at: number): Promise<number> {
    return ((await this.uint16(at)) | ((await this.uint16(at + 2)) << 16)) >>> 0;
  }

  async text(at: number, length: number): Promise<string> {
    const from = await this.hold(at, length);
    return String.fromCharCode(...this.bytes.subarray(from, from + Math.min(length, 256)));
  }

  /** Runs the pickle that begins here; `end` counts in the file. */
  async pickle(at: number): Promise<PickleResult> {
    for (let size = WINDOW_BYTES; ; size *= 4) {
      const available = this.availableAt(at, size);
      const from = await this.hold(at, available);
      try {
        const result = runPickle(this.bytes.subarray(from, from + available));
        this.imports.scan(this.bytes.subarray(from, from + result.end), at);
        return { ...result, end: at + result.end };
      } catch (error) {
        if (FormatError.is(error, 'truncated') && size < MAX_WINDOW_BYTES && available >= size) continue;
        if (FormatError.is(error)) this.imports.scan(this.bytes.subarray(from, from + available), at);
        throw error;
      }
    }
  }

  /** Behind the data descriptor that begins at `at`: 16 bytes, or 24 with 64-bit sizes. */
  async descriptorEnd(at: number): Promise<number> {
    if ((await this.uint32(at)) !== DESCRIPTOR) throw new FormatError('corrupt', 'a record does not end', { offset: at });
    return isRecordStart(await this.uint32(at + 16)) ? at + 16 : at + 24;
  }

  /** Behind the descriptor of a small record that begins at `at`: the record holds a version, a number or an id. */
  async descriptorAfter(at: number): Promise<number> {
    const available = this.availableAt(at, 256);
    const from = await this.hold(at, available);
    for (let index = 0; index + 4 <= available; index++) {
      const word = this.bytes.subarray(from + index, from + index + 4);
      if (word[0] === 0x50 && word[1] === 0x4b && word[2] === 0x07 && word[3] === 0x08) return this.descriptorEnd(at + index);
    }
    throw new FormatError('corrupt', 'a record does not end', { offset: at });
  }

  /** Lengths in a header lead anywhere. @throws FormatError `truncated` for a place behind the end */
  private availableAt(at: number, most: number): number {
    if (at > this.source.sizeBytes)
      throw new FormatError('truncated', 'an archive does not end', { offset: this.source.sizeBytes });
    return Math.min(most, this.source.sizeBytes - at);
  }

  /** Makes sure that the bytes are held; answers where they begin in `bytes`. */
  private async hold(at: number, length: number): Promise<number> {
    const end = this.start + this.bytes.length;
    if (at < this.start || at + length > end) {
      const size = Math.min(Math.max(length, WINDOW_BYTES), this.source.sizeBytes - at);
      if (size < length) throw new FormatError('truncated', 'an archive does not end', { offset: at });
      const held = at >= this.start && at < end ? this.bytes.subarray(at - this.start) : new Uint8Array(0);
      const bytes = new Uint8Array(size);
      bytes.set(held);
      bytes.set(await this.source.read(at + held.length, size - held.length, this.signal), held.length);
      this.bytes = bytes;
      this.start = at;
    }
    return at - this.start;
  }
}

function isRecordStart(signature: number): boolean {
  return signature === LOCAL_HEADER || signature === DIRECTORY_ENTRY;
}
