/** What the files of a tokenizer say of their ids, in the order in which transformers looks for them. */
import { appendAll } from '../bytes/appendAll.js';
import { FormatError } from '../bytes/formatError.js';
import { decodeStrictText } from '../bytes/text.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { piecesOf } from '../formats/tokenizers/sentencePiece.js';
import { ranksOf } from '../formats/tokenizers/tiktoken.js';
import { isTokenId, type AddedToken, type TokenIds } from '../formats/tokenizers/tokenIds.js';
import { scanTokenizer, scanVocabulary } from '../formats/tokenizers/vocabularyScan.js';
import type { EmptiedTokenizer } from './absentVocabulary.js';
import { embeddingRows, type EmbeddingRows } from './embeddingRows.js';
import { bytesBeside, isBeside, jsonBeside } from './filesBeside.js';

export interface TokenizerFacts {
  /** The file with the vocabulary; null where there is none, or none that can be read. */
  vocabulary: (TokenIds & { path: string }) | null;
  /** Tokens beyond it, of all files, by their ids. */
  added: readonly AddedToken[];
  /** `tokenizer_config.json`, parsed; undefined without it. */
  config: unknown;
  /** A tokenizer.json without a token, beside no other vocabulary. */
  emptied: EmptiedTokenizer | undefined;
  /** What could not be read, as clauses. */
  notRead: string[];
  findings: Finding[];
  /** What the ids are looked up in; undefined where no tensor here is known as it. */
  embedding: EmbeddingRows | undefined;
}

type VocabularyReader = (bytes: Uint8Array) => {
  ids: TokenIds;
  added?: readonly AddedToken[];
  emptied?: EmptiedTokenizer;
};

/** The first that is there decides, as in transformers: `tokenizer.json`, then the files of the older classes. */
const vocabularyFiles: readonly [name: RegExp, read: VocabularyReader][] = [
  [/^tokenizer\.json$/, ofTokenizer],
  [/^(tokenizer|spiece|spm|spm_char|sentencepiece\.bpe)\.model$/, (bytes) => ({ ids: ofModelFile(bytes) })],
  [/^[^/]+\.tiktoken$/, (bytes) => ({ ids: ranksOf(bytes) })],
  [/^vocab\.json$/, (bytes) => ({ ids: scanVocabulary(bytes) })],
  [/^vocab\.txt$/, (bytes) => ({ ids: linesOf(bytes) })],
];
const modelFile = /\.model$/;

/**
 * Reads the tokenizer in the directory itself.
 * @throws FormatError `cancelled`
 */
export async function readTokenizer(read: ReadResult, context: ReadContext): Promise<TokenizerFacts> {
  const facts: TokenizerFacts = {
    vocabulary: null,
    added: [],
    config: undefined,
    emptied: undefined,
    notRead: [],
    findings: [],
    embedding: embeddingRows(read.parts),
  };
  facts.config = await jsonBeside(read, context, 'tokenizer_config.json');
  const own = await vocabularyIn(read, context, facts);
  const added = new Map<number, AddedToken>();
  for (const token of [
    ...own,
    ...addedByText(await jsonBeside(read, context, 'added_tokens.json')),
    ...addedById(memberOf(facts.config, 'added_tokens_decoder')),
  ])
    added.set(token.id, token);
  facts.added = [...added.values()];
  return facts;
}

/** @returns the tokens that the file of the vocabulary adds */
async function vocabularyIn(read: ReadResult, context: ReadContext, facts: TokenizerFacts): Promise<readonly AddedToken[]> {
  const names = read.parts.files.flatMap(({ path }) => (path.includes('/') ? [] : [path]));
  for (const [pattern, reader] of vocabularyFiles) {
    const path = names.find((name) => pattern.test(name));
    if (path === undefined || !isBeside(read, path)) continue;
    try {
      const { ids, added = [], emptied } = reader(await bytesBeside(context, path));
      // A tokenizer.json of an exporter may have its tokens in a file of its own.
      if (ids.tokens > 0) facts.vocabulary = { ...ids, path };
      else facts.notRead.push(`${path} has no vocabulary`);
      if (!vocabularyFiles.some(([other]) => names.some((name) => name !== path && other.test(name)))) facts.emptied = emptied;
      return added;
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      if (path.endsWith('.json')) appendAll(facts.findings, findingOf(error, path));
      else if (memberOf(facts.config, 'auto_map') === undefined) appendAll(facts.findings, refusalOf(error, path));
      facts.notRead.push(`${path} ${inWords(error)}`);
      return [];
    }
  }
  return [];
}

function findingOf({ code, detail }: FormatError, path: string): Finding[] {
  if (code === 'corrupt') return [{ code: 'json-corrupt', path, facts: { detail } }];
  return code === 'unsupported' ? [{ code: 'tokenizer-refused', path, facts: { detail } }] : [];
}

/** transformers parses these for all of its classes. Code beside them may take them for something else. */
function refusalOf({ code }: FormatError, path: string): Finding[] {
  if (code === 'limit-exceeded' || path.endsWith('.tiktoken')) return [];
  const ofModel =
    code === 'corrupt' ? 'the SentencePiece model in it is damaged' : 'it is neither a SentencePiece model nor ranks of tiktoken';
  return [{ code: 'tokenizer-refused', path, facts: { detail: modelFile.test(path) ? ofModel : 'its text is not UTF-8' } }];
}

function inWords({ code }: FormatError): string {
  if (code === 'limit-exceeded') return 'is larger than what is read';
  if (code === 'unsupported') return 'is not what the library of tokenizers takes';
  return code === 'not-this-format' ? 'is in a format that is not known' : 'cannot be read';
}

function ofTokenizer(bytes: Uint8Array): ReturnType<VocabularyReader> {
  const { vocabulary, added, type, hasVocabulary } = scanTokenizer(bytes);
  return { ids: vocabulary, added, ...(vocabulary.tokens > 0 ? {} : { emptied: { type, hasVocabulary } }) };
}

/** Meta's `tokenizer.model` of Llama 3 has tiktoken's ranks. */
function ofModelFile(bytes: Uint8Array): TokenIds {
  return bytes[0] === PIECE_TAG ? piecesOf(bytes) : ranksOf(bytes);
}

/** Field 1, length-delimited. */
const PIECE_TAG = 0x0a;
const LINE_FEED = 0x0a;

/** One token a line; a last line without an end is one. @throws FormatError `corrupt` where it is no UTF-8 */
function linesOf(bytes: Uint8Array): TokenIds {
  if (decodeStrictText(bytes) === undefined) throw new FormatError('corrupt', 'the text is not UTF-8');
  let tokens = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) tokens += 1;
  if (bytes.length > 0 && bytes[bytes.length - 1] !== LINE_FEED) tokens += 1;
  return { tokens, end: tokens };
}

/** `{"<pad>": 32000}` */
function addedByText(value: unknown): AddedToken[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([content, id]) => (isTokenId(id) ? [{ id, content }] : []));
}

/** `{"32000": {"content": "<pad>", …}}` */
function addedById(value: unknown): AddedToken[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, token]): AddedToken[] => {
    const id = /^\d{1,15}$/.test(key) ? Number(key) : undefined;
    const content = memberOf(token, 'content');
    return id !== undefined && typeof content === 'string' ? [{ id, content }] : [];
  });
}
