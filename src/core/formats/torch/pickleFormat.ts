import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { componentOfPath } from '../../tensors/componentOfPath.js';
import { defineFormat } from '../fileFormat.js';
import { compressionOfPickle, mayBeOldPickle } from '../pickle/pickleHead.js';
import type { FileSink } from '../sink/fileSink.js';
import { readTorchFile } from './torchFile.js';

/**
 * Pickles without magic (protocols 0 and 1), and compressed ones (joblib, `.pkl.gz`), under any name. Other files begin alike, so that it
 * comes last, and what turns out to be none is left as unknown.
 */
export const pickleFormat = defineFormat({
  id: 'pickle',
  role: 'pickled-object',
  component: 'trainerState',
  tensors: componentOfPath,
  content: {
    matches: (head) => mayBeOldPickle(head) || compressionOfPickle(head) !== undefined,
    otherwise: 'unknown',
  },
  checks: 'pickles: opcodes, imports',
  read: readUnnamedPickle,
});

/** @throws FormatError `not-this-format` also for compressed data that are no pickle */
async function readUnnamedPickle(source: ByteSource, sink: FileSink): Promise<string> {
  try {
    return await readTorchFile(source, sink);
  } catch (error) {
    if (!FormatError.is(error, 'unsupported')) throw error;
    throw new FormatError('not-this-format', error.detail, { offset: 0 });
  }
}
