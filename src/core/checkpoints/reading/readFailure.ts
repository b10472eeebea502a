/** Why a file cannot be read, in the words of the everyday reason where there is one. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import type { FileFinding } from '../../findings/finding.js';
import { findingOfError } from '../../findings/findingOfError.js';
import { ImpostorError } from '../../findings/impostorError.js';
import { findImpostor } from '../../formats/impostor.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import type { FilePart } from '../parts.js';
import type { PartsSink } from '../partsSink.js';
import { isAnyBinary } from './promisedNames.js';

/** A reader that makes the best of what it finds reports the consequences: where there is an everyday reason, that is the finding. */
export async function explainFindings(source: ByteSource, part: FilePart, sink: PartsSink): Promise<void> {
  const impostor = await impostorOf(source, sink);
  if (impostor === undefined) return;
  part.isUnreadable = true;
  sink.withdrawFindings();
  sink.finding(impostor);
}

/** Names the everyday reason where there is one; else what the parser stumbled over. The file's bytes stay in the account. */
export async function noteFailure(
  error: unknown,
  source: ByteSource | undefined,
  part: FilePart,
  sink: PartsSink,
): Promise<void> {
  const finding = findingOf(error, part);
  if (part.isUnreadable === true && FormatError.is(error, 'io')) return;
  part.isUnreadable = true;
  if (!FormatError.is(error)) return sink.finding(finding);
  const isLooked = source !== undefined && error.code !== 'io';
  const impostor = error instanceof ImpostorError ? error.finding : isLooked ? await impostorOf(source, sink) : undefined;
  if (impostor !== undefined || error.code !== 'limit-exceeded') part.component = 'unexplained';
  if (impostor !== undefined) sink.withdrawFindings();
  if (impostor === undefined && finding.code === 'file-not-its-format' && isAnyBinary(part)) {
    Object.assign(part, { role: 'unrecognised', format: 'unknown' } satisfies Partial<FilePart>);
    return sink.finding({ code: 'binary-not-recognised', offset: 0 });
  }
  sink.finding(impostor ?? finding);
}

/** Python parses JSON of any size: what is not read of it is no damage. */
function findingOf(error: unknown, part: FilePart): FileFinding {
  if (part.format === 'json' && part.role !== 'shard-index' && FormatError.is(error, 'limit-exceeded'))
    return { code: 'json-too-large', facts: { detail: error.detail } };
  return findingOfError(error, 'file');
}

async function impostorOf(source: ByteSource, sink: FileSink): Promise<FileFinding | undefined> {
  try {
    return await findImpostor(source, sink.signal);
  } catch (error) {
    if (FormatError.is(error, 'cancelled') || !FormatError.is(error)) throw error;
    return undefined;
  }
}
