/** The file of a folder cache: lines of JSON, compressed in parts, each of which is whole whenever the program ends. */
import { appendFile, rename, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { headerLine, isHeaderOf } from './folderLine.js';
import { describeIoError } from './ioError.js';
import { readRegularFile } from './regularFile.js';

const compress = promisify(gzip);

/** Lines of one compressed part: what is lost where the program ends. */
const linesOfPart = 2000;

type Bounds = Record<'folderCacheFileBytes' | 'folderCacheBytes' | 'folderLineCharacters', number>;

export class FolderCacheFile {
  private unwritten: string[] = [];
  private writing: Promise<void> = Promise.resolve();

  /**
   * @param file made where it is not there
   * @param root directory that is searched, without links
   * @param bounds of what is read of it
   */
  constructor(
    private readonly file: string,
    private readonly root: string,
    private readonly bounds: Bounds = limits,
  ) {}

  /**
   * The lines behind the first, which says whose file it is. A last part that was cut off is dropped.
   * @throws FormatError `io` where it cannot be read or written, `corrupt` where it is of another kind or directory, `limit-exceeded`
   */
  async lines(): Promise<string[]> {
    const texts: string[] = [];
    const read = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const text of linesOf(chunks, this.bounds)) {
        if (texts.length === 0 && !isHeaderOf(text, this.root)) throw notOfThis;
        texts.push(text);
      }
    };
    const isWhole = await readWhole(this.file, this.bounds.folderCacheFileBytes, read);
    const lines = texts.slice(1);
    // What is added comes after whole parts alone.
    if (texts.length === 0 || !isWhole) await this.replace(lines);
    return lines;
  }

  /** Written once there are enough for a part. @throws FormatError `io` */
  async add(line: string): Promise<void> {
    this.unwritten.push(line);
    if (this.unwritten.length >= linesOfPart) await this.flush();
  }

  /** @throws FormatError `io` */
  async flush(): Promise<void> {
    const part = this.unwritten;
    this.unwritten = [];
    if (part.length > 0)
      this.writing = this.writing.then(() => asIo(async () => appendFile(this.file, await compress(`${part.join('\n')}\n`))));
    await this.writing;
  }

  /** Writes these in place of all that is there. @throws FormatError `io` */
  replace(lines: readonly string[]): Promise<void> {
    return asIo(async () => {
      const parts = [await compress(`${headerLine(this.root)}\n`)];
      for (let start = 0; start < lines.length; start += linesOfPart)
        parts.push(await compress(`${lines.slice(start, start + linesOfPart).join('\n')}\n`));
      await writeFile(`${this.file}.new`, Buffer.concat(parts));
      await rename(`${this.file}.new`, this.file);
    });
  }
}

/**
 * False where there is no such file, or its last part was not written to its end.
 * @throws FormatError `io` where it cannot be read, `corrupt` where it is of another kind; as `read` does
 */
async function readWhole(
  file: string,
  mostBytes: number,
  read: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<boolean> {
  // What a reader throws ends the pipeline, which then fails for having been ended.
  let refusal: FormatError | undefined;
  const reader = (chunks: AsyncIterable<Buffer>): Promise<void> =>
    read(chunks).catch((error: unknown) => {
      if (FormatError.is(error)) refusal = error;
      throw error;
    });
  try {
    await stat(file);
    const bytes = await readRegularFile(file, mostBytes);
    await pipeline(Readable.from([bytes]), createGunzip(), reader);
    return true;
  } catch (error) {
    if (refusal !== undefined || FormatError.is(error)) throw refusal ?? error;
    const { code = '' } = error as { code?: string };
    if (code === 'ENOENT' || code === 'Z_BUF_ERROR') return false;
    throw code.startsWith('Z_') ? notOfThis : asFormatError(error);
  }
}

/** @throws FormatError `limit-exceeded` where there is more than a search writes */
async function* linesOf(chunks: AsyncIterable<Buffer>, bounds: Bounds): AsyncGenerator<string> {
  let rest = '';
  let allBytes = 0;
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) {
    allBytes += chunk.length;
    if (allBytes > bounds.folderCacheBytes)
      throw new FormatError('limit-exceeded', 'the file of the cache is larger than a search writes');
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if ([rest, ...lines].some(({ length }) => length > bounds.folderLineCharacters)) throw notOfThis;
    yield* lines;
  }
}

const notOfThis = new FormatError('corrupt', 'the file of the cache is another one, or of another directory: name another file');

function asFormatError(error: unknown): FormatError {
  return new FormatError('io', `the cache cannot be used: ${describeIoError(error)}`, { cause: error });
}

/** @throws FormatError `io` */
async function asIo(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asFormatError(error);
  }
}
