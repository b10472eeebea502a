/** Ids in the files of tokenizers, and what damaged ones come to. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/bytes/formatError.js';
import { piecesOf } from '../../../../src/core/formats/tokenizers/sentencePiece.js';
import { ranksOf } from '../../../../src/core/formats/tokenizers/tiktoken.js';
import { scanTokenizer, scanVocabulary } from '../../../../src/core/formats/tokenizers/vocabularyScan.js';
import { vocabularySizeOf } from '../../../../src/core/datasets/text/vocabularySize.js';
import { utf8 } from '../../../builders/byteWriter.js';

const published = readFileSync('test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json');

/** What a reader makes of bytes: a result, or the code of its FormatError. Anything else fails. */
function outcomeOf(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    if (FormatError.is(error)) return error.code;
    throw error;
  }
}

describe('a tokenizer.json', () => {
  it('has the ids that its parsed form has', () => {
    const { vocabulary, added } = scanTokenizer(published);
    const end = added.reduce((most, { id }) => Math.max(most, id + 1), vocabulary.end);
    expect(end).toBe(vocabularySizeOf(JSON.parse(published.toString('utf8'))));
    expect(vocabulary.tokens).toBeGreaterThan(0);
  });

  it('that is cut anywhere is corrupt', () => {
    const text = utf8(
      '{"added_tokens": [{"id": 1, "content": "\\"x"}], "model": {"vocab": {"a": 0, "\\\\": 1}, "merges": [["a", "b"]]}}',
    );
    for (let length = 0; length < text.length; length++)
      expect(outcomeOf(() => scanTokenizer(text.subarray(0, length)))).toBe('corrupt');
    expect(outcomeOf(() => scanTokenizer(text))).toBe('read');
  });

  it.each(['[', '{', '{"model":', '{"model":{"vocab":[', '{"a":{"b":', '{"model":{"vocab":{"a":1}}}', '{"a":1,}'])(
    'of any depth is corrupt, not a deep call: %s',
    (piece) => {
      expect(outcomeOf(() => scanTokenizer(utf8(piece.repeat(50_000))))).toBe('corrupt');
    },
  );

  it('with ids of any length stays within integers that are exact', () => {
    for (const id of ['-1', '4294967296', '99999999999999999999', '1e5', '{}', '"a"', 'true'])
      expect(outcomeOf(() => scanVocabulary(utf8(`{"a": ${id}}`)))).toBe('unsupported');
    for (const id of ['-', '1x', '01.', 'tru', '']) expect(outcomeOf(() => scanVocabulary(utf8(`{"a": ${id}}`)))).toBe('corrupt');
    expect(outcomeOf(() => scanVocabulary(utf8('\u{feff}{}')))).toBe('corrupt');
    expect(scanVocabulary(utf8('{ "a" : 7 , "b":3}\n'))).toEqual({ tokens: 2, end: 8 });
  });
});

describe('other vocabularies', () => {
  it('that are damaged are refused', () => {
    const model = Uint8Array.of(0x0a, 3, 1, 2, 3, 0x0a, 1, 9);
    expect(piecesOf(model)).toEqual({ tokens: 2, end: 2 });
    for (const length of [1, 2, 4, 6, 7]) expect(outcomeOf(() => piecesOf(model.subarray(0, length)))).toBe('corrupt');
    expect(outcomeOf(() => piecesOf(new Uint8Array(0)))).toBe('not-this-format');
    expect(outcomeOf(() => piecesOf(Uint8Array.of(0x12, 0)))).toBe('not-this-format');
  });

  it.each(['', '\n\n', 'a', 'a ', ' 1', 'a x', 'a 1\nb', 'a 1234567890123456'])(
    'of tiktoken that are none are refused: %s',
    (text) => {
      expect(outcomeOf(() => ranksOf(utf8(text)))).toBe('not-this-format');
    },
  );

  it('of tiktoken may leave ranks out', () => {
    expect(ranksOf(utf8('IQ== 0\nIg== 9'))).toEqual({ tokens: 2, end: 10 });
  });
});
