import { rename, writeFile } from 'node:fs/promises';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { readNodesMeasurement } from '../../../core/bandwidth/measurementSchema.js';
import type { NodesMeasurement } from '../../../core/bandwidth/nodes.js';
import { FormatError } from '../../../core/bytes/formatError.js';
import { limits } from '../../../core/bytes/limits.js';
import { readRegularText } from '../../regularFile.js';
import { systemErrorCode } from '../../os/systemErrorCode.js';
import { knownCode, textOf } from './messages.js';

/** The file in which a job leaves what it measured, or why it did not. It appears whole. */
export async function writeJobResult(file: string, result: NodesMeasurement | CheckError): Promise<void> {
  const content = CheckError.is(result) ? { error: { code: result.code, detail: result.detail } } : { result };
  await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * @returns null where there is no such file yet
 * @throws CheckError of the job itself, or `io` for a file that no job wrote
 */
export async function readJobResult(file: string): Promise<NodesMeasurement | null> {
  const text = await readText(file);
  return text === null ? null : parseJobResult(text);
}

/** The same of the text of such a file. @throws CheckError as `readJobResult` */
export function parseJobResult(text: string): NodesMeasurement {
  const { result, error } = contentOf(text);
  if (typeof error !== 'object' || error === null) return readNodesMeasurement(result);
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  throw new CheckError(knownCode(code), textOf(detail));
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readRegularText(file, limits.jobResultBytes);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    if (systemErrorCode(error.cause) === 'ENOENT') return null;
    throw new CheckError('io', `the result of the job cannot be read: ${error.detail}`, { cause: error });
  }
}

function contentOf(text: string): { result?: unknown; error?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below, as for any other text.
  }
  throw new CheckError('io', 'the result of the job is no JSON object');
}
