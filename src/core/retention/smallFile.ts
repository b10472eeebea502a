/** Small files of the run whose text decides: each is read whole within a bound, and counted. */
import { decodeWrittenText } from '../bytes/text.js';
import { FormatError } from '../bytes/formatError.js';
import { readWhole } from '../bytes/readWhole.js';
import { jsonValue } from '../formats/text/jsonValue.js';
import type { FileTree } from '../files/fileTree.js';

export class SmallFiles {
  /** Files that were opened, relative to the tree. */
  readonly opened: string[] = [];

  constructor(
    private readonly tree: Pick<FileTree, 'open'>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Null for one that cannot be read or is larger. @throws FormatError `cancelled` */
  async text(path: string, mostBytes: number): Promise<string | null> {
    let source;
    try {
      source = await this.tree.open(path, this.signal);
      this.opened.push(path);
      return decodeWrittenText(await readWhole(source, mostBytes, 'text', this.signal));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      return null;
    } finally {
      await source?.close();
    }
  }

  /** Null for what is not the JSON of an object, as Python writes it: with NaN, too. */
  async json(path: string, mostBytes: number): Promise<Record<string, unknown> | null> {
    const text = await this.text(path, mostBytes);
    try {
      const value = text === null ? null : jsonValue(text);
      return isRecord(value) ? value : null;
    } catch {
      return null;
    }
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
