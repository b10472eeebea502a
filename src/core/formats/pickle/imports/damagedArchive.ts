/** Archives whose directory their own reader does not find. Other programs may find one, as where another archive is in front of this one. */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import type { FileSink } from '../../sink/fileSink.js';
import { readZipDirectory, type ZipDirectory } from '../../zip.js';
import { FileImports } from './fileImports.js';

/**
 * The directory of an archive. Where it cannot be read, what its pickles import is reported first.
 * @throws FormatError as `readZipDirectory` does
 */
export async function directoryOfArchive(source: ByteSource, sink: FileSink): Promise<ZipDirectory> {
  try {
    return await readZipDirectory(source, sink.signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await sink.turn();
    await reportDamagedArchive(source, sink);
    throw error;
  }
}

/** Reports what pickles import of an archive whose damage is said elsewhere. It is the file's turn. */
export async function reportDamagedArchive(source: ByteSource, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  try {
    await imports.scanArchive(source, { ...(await readZipDirectory(source, sink.signal, 'any')), conflict: undefined });
  } catch (error) {
    if (!isDamage(error)) throw error;
    return;
  }
  await imports.report(sink);
}

function isDamage(error: unknown): boolean {
  return FormatError.is(error) && error.code !== 'cancelled' && error.code !== 'io';
}
