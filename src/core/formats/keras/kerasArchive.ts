/**
 * Keras 3's .keras (keras/src/saving/saving_lib.py): a zip archive of `metadata.json`, `config.json` and `model.weights.h5`, which is stored
 * uncompressed and read in place.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import { decodeText } from '../../bytes/text.js';
import type { Unpacking } from '../../bytes/unpackBudget.js';
import type { FileFinding } from '../../findings/finding.js';
import { noteArchiveCode } from '../loaderCode/archiveCode.js';
import { directoryOfArchive } from '../pickle/imports/damagedArchive.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { readHdf5 } from '../hdf5/readHdf5.js';
import { nestedSink } from '../sink/nestedSink.js';
import { jsonValue, pythonJsonText } from '../text/jsonValue.js';
import { codeOfKerasConfig } from './kerasCode.js';
import type { ZipEntry } from '../zip.js';
import { noteBytesBehindArchive } from '../zipTail.js';
import { isNotRead, isStored, openZipRecord, readZipContent } from '../zipRecord.js';

const WEIGHTS = 'model.weights.h5';
const METADATA = 'metadata.json';
const CONFIG = 'config.json';

/**
 * Lists the weights of the model, and shows its metadata.
 * @throws FormatError `not-this-format` for another zip, `truncated` without a directory, and what `readHdf5` throws
 */
export async function readKerasArchive(source: ByteSource, sink: FileSink): Promise<string> {
  const directory = await directoryOfArchive(source, sink);
  const { entries } = directory;
  const find = (name: string): ZipEntry | undefined => entries.find((entry) => entry.name === name);
  const weights = find(WEIGHTS);
  const metadata = await readMetadata(source, find(METADATA), sink);
  const code = await codeOfConfig(source, find(CONFIG), sink);
  const imports = new FileImports(sink);
  await imports.scanArchive(source, directory, (entry) => entry === weights);
  await sink.turn();
  noteBytesBehindArchive(source, directory, sink);
  await imports.report(sink);
  if (weights === undefined && find(CONFIG) === undefined)
    throw new FormatError('not-this-format', 'a zip archive without a Keras model');
  for (const finding of code) sink.finding(finding);
  noteArchiveCode(entries, 'a program that unpacks the archive; Keras does not import it', sink);
  if (metadata !== undefined) showMetadata(metadata, sink);
  for (const entry of entries)
    if (entry !== weights) sink.claim(entry.headerOffset, entry.endOffset - entry.headerOffset, 'config');
  if (weights === undefined) {
    sink.finding({ code: 'file-missing', facts: { file: WEIGHTS, detail: 'the archive has no weights' } });
    return 'keras';
  }
  await readWeights(source, weights, sink);
  return 'keras';
}

async function readWeights(source: ByteSource, entry: ZipEntry, sink: FileSink): Promise<void> {
  const { compressedBytes, headerOffset: offset } = entry;
  if (!isStored(entry) || entry.isEncrypted) {
    const detail = `the weights in the archive are ${entry.isEncrypted ? 'encrypted' : 'compressed'}`;
    sink.finding({ code: 'unsupported-version', offset, facts: { detail } });
    return;
  }
  const { dataOffset, storedBytes } = await openZipRecord(source, entry, 0, sink.signal);
  if (entry.dataOffset === undefined || storedBytes < compressedBytes)
    throw new FormatError('corrupt', 'there is no room for the weights', { offset });
  await readHdf5(sliceSource(source, dataOffset, compressedBytes), nestedSink(sink, dataOffset, []));
}

/** Code that the config names or holds. The library stores it; other programs that pack an archive again deflate it. */
async function codeOfConfig(source: ByteSource, entry: ZipEntry | undefined, unpacking: Unpacking): Promise<FileFinding[]> {
  if (entry === undefined) return [];
  const { headerOffset: offset, compressedBytes: bytes } = entry;
  const notChecked = (detail: string): FileFinding[] => [
    { code: 'code-not-checked', offset, facts: { bytes, detail: `${CONFIG} is ${detail}` } },
  ];
  if (entry.isEncrypted) return notChecked('encrypted');
  if (entry.bytes > limits.codeTextBytes) return notChecked('larger than what is read');
  try {
    const text = pythonJsonText((await readZipContent(source, entry, limits.codeTextBytes, unpacking)).bytes);
    return codeOfKerasConfig(jsonValue(text), CONFIG, 'keras').map((finding) => ({ ...finding, offset }));
  } catch (error) {
    if (error instanceof SyntaxError) return notChecked('no valid JSON');
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return notChecked(isNotRead(error) ? error.detail : `damaged: ${error.detail}`);
  }
}

async function readMetadata(source: ByteSource, entry: ZipEntry | undefined, unpacking: Unpacking): Promise<unknown> {
  if (entry === undefined) return undefined;
  try {
    return JSON.parse(decodeText((await readZipContent(source, entry, limits.metadataPayloadBytes, unpacking)).bytes));
  } catch (error) {
    // Metadata that cannot be read are no reason not to look at the weights.
    if (error instanceof SyntaxError || (FormatError.is(error) && error.code !== 'cancelled' && error.code !== 'io'))
      return undefined;
    throw error;
  }
}

function showMetadata(metadata: unknown, sink: FileSink): void {
  sink.json(metadata);
  if (typeof metadata !== 'object' || metadata === null) return;
  for (const [key, value] of Object.entries(metadata)) if (typeof value === 'string') sink.metadata(key, value);
}
