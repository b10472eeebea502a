/** SentencePiece models (sentencepiece/src/sentencepiece_model.proto): ModelProto { repeated SentencePiece pieces = 1; trainer_spec = 2; … }. */
import { FormatError } from '../../bytes/formatError.js';
import { LENGTH_DELIMITED, ProtobufReader } from '../protobuf/protobuf.js';
import type { TokenIds } from './tokenIds.js';

const PIECES = 1;
const LAST_FIELD = 5;

/**
 * Pieces of a model, whose places are their ids.
 * @throws FormatError `not-this-format` for a message without pieces, `corrupt` for one that is cut
 */
export function piecesOf(bytes: Uint8Array): TokenIds {
  let tokens = 0;
  for (const reader = new ProtobufReader(bytes); reader.next();) {
    if (reader.field === PIECES && reader.wireType === LENGTH_DELIMITED) tokens += 1;
    else if (tokens === 0 || (reader.field > LAST_FIELD && reader.field < EXTENSIONS))
      throw new FormatError('not-this-format', 'no SentencePiece model', { offset: reader.start });
  }
  if (tokens === 0) throw new FormatError('not-this-format', 'no SentencePiece model', { offset: 0 });
  return { tokens, end: tokens };
}

/** `extensions 200 to max` of ModelProto. */
const EXTENSIONS = 200;
