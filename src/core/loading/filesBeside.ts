/** Small files beside the weights, which layouts leave closed. What the inspection read of them before is not read again. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { readWhole } from '../bytes/readWhole.js';
import { decodeText } from '../bytes/text.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import { withFile } from '../files/openFiles.js';
import { jsonFileValue } from '../formats/text/jsonValue.js';

/** Whether a file is there and has bytes that can be read. */
export function isBeside({ parts }: ReadResult, path: string): boolean {
  return parts.files.some((file) => file.path === path && file.sizeBytes > 0 && file.isUnreadable !== true);
}

/**
 * A whole file of at most `limits.jsonBytes`.
 * @throws FormatError as the file has it, `limit-exceeded` for a larger one
 */
export function bytesBeside(context: ReadContext, path: string): Promise<Uint8Array> {
  return withFile(context, path, (source) => readWhole(source, limits.jsonBytes, path, context.signal));
}

/** The value of a JSON file; undefined where it is not there, or no JSON, which the reader of its directory reports. @throws FormatError `cancelled` */
export async function jsonBeside(read: ReadResult, context: ReadContext, path: string): Promise<unknown> {
  return (
    read.side.json.get(path) ?? (await whereReadable(read, path, async () => jsonFileValue(await bytesBeside(context, path))))
  );
}

/** A text; undefined where it cannot be read. @throws FormatError `cancelled` */
export function textBeside(read: ReadResult, context: ReadContext, path: string): Promise<string | undefined> {
  return whereReadable(read, path, async () => decodeText(await bytesBeside(context, path)));
}

async function whereReadable<T>(read: ReadResult, path: string, open: () => Promise<T>): Promise<T | undefined> {
  if (!isBeside(read, path)) return undefined;
  try {
    return await open();
  } catch (error) {
    if (error instanceof SyntaxError || (FormatError.is(error) && error.code !== 'cancelled')) return undefined;
    throw error;
  }
}
