/** Ids of the tokenizer, and special ones that config.json names, against the rows of the token embedding. */
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { isTokenId, type AddedToken, type TokenIds } from '../formats/tokenizers/tokenIds.js';
import { formatCount } from '../text/units.js';
import type { EmbeddingRows } from './embeddingRows.js';
import { absentVocabulary, emptyVocabulary } from './absentVocabulary.js';
import { nothingToCheck, type LoadCheck } from './loadCheck.js';
import { refusesPadding } from './refusedPadding.js';
import type { TokenizerFacts } from './tokenizerFacts.js';

export function tokenizerCheck({ parts, side }: ReadResult, tokenizer: TokenizerFacts): LoadCheck {
  const config = side.json.get('config.json');
  const { vocabulary, embedding } = tokenizer;
  const ids = embedding === undefined ? [] : specialIds(config, embedding.rows);
  const tokens = vocabulary === null || embedding === undefined ? [] : tokensBeyond(vocabulary, tokenizer, embedding);
  const modelType = memberOf(config, 'model_type');
  const absent =
    vocabulary === null && tokenizer.notRead.length === 0
      ? absentVocabulary(parts.files, tokenizer.config, modelType)
      : undefined;
  const empty = tokenizer.emptied === undefined ? undefined : emptyVocabulary(tokenizer.emptied, tokenizer.config, modelType);
  const findings = [
    ...tokenizer.findings,
    ...(absent === undefined ? [] : [absent]),
    ...(empty === undefined ? [] : [empty]),
    ...paddingRefused(config),
    ...tokens,
    ...ids,
  ];
  const notChecked = whyNot(tokenizer, embedding, parts.layout);
  if (findings.length === 0 && vocabulary === null && notChecked === undefined) return nothingToCheck;
  // What Trainer saves beside an adapter: its rows are in the base model.
  const isAdapter = parts.layout === 'peft-adapter';
  const isCompared = vocabulary !== null && embedding !== undefined;
  return {
    ...verdictOf(findings, isCompared || isAdapter),
    checked: isCompared ? ['tokenizer'] : [],
    notChecked: notChecked === undefined ? [] : [{ what: 'tokenizer', detail: notChecked }],
    findings,
    done: isCompared ? [clauseOf(vocabulary, tokenizer, embedding)] : [],
  };
}

function verdictOf(findings: readonly Finding[], isCompared: boolean): Pick<LoadCheck, 'verdict' | 'why'> {
  const codes = new Set(findings.map(({ code }) => code));
  if (codes.has('padding-id-refused'))
    return { verdict: 'fails', why: 'The pad_token_id of config.json is no row of the embedding.' };
  if (codes.has('json-corrupt')) return { verdict: 'fails', why: 'A file of the tokenizer is no valid JSON.' };
  if (codes.has('tokenizer-refused')) return { verdict: 'fails', why: 'The tokenizer is refused when it is loaded.' };
  const absent = findings.find((finding) => finding.code === 'tokenizer-vocabulary-missing');
  if (absent !== undefined)
    return {
      verdict: absent.facts.isRefused ? 'fails' : 'loads-with-warnings',
      why: 'tokenizer_config.json is here, and no vocabulary of the tokenizer.',
    };
  const empty = findings.find((finding) => finding.code === 'tokenizer-vocabulary-empty');
  if (empty !== undefined)
    return { verdict: empty.facts.isRefused ? 'fails' : 'loads-with-warnings', why: 'tokenizer.json has no vocabulary.' };
  if (codes.has('tokenizer-beyond-embedding'))
    return { verdict: 'fails', why: 'The tokenizer has ids that are no rows of the embedding.' };
  if (codes.has('special-id-beyond-embedding'))
    return { verdict: 'loads-with-warnings', why: 'Special ids are no rows of the embedding.' };
  if (codes.has('added-tokens-beyond-embedding'))
    return { verdict: 'loads-with-warnings', why: 'Added tokens are no rows of the embedding.' };
  return isCompared ? { verdict: 'loads', why: '' } : { verdict: 'unknown', why: 'The tokenizer was not compared.' };
}

function whyNot(
  { vocabulary, notRead }: TokenizerFacts,
  embedding: EmbeddingRows | undefined,
  layout: ReadResult['parts']['layout'],
): string | undefined {
  if (notRead.length > 0) return notRead.join(', ');
  if (vocabulary === null || embedding !== undefined) return undefined;
  return layout === 'peft-adapter' ? 'the embedding is in the base model' : 'no tensor here is known as the token embedding';
}

/** `50,257 tokens of tokenizer.json, 50,304 rows of wte.weight: 47 padded` */
function clauseOf(
  vocabulary: NonNullable<TokenizerFacts['vocabulary']>,
  { added }: TokenizerFacts,
  embedding: EmbeddingRows,
): string {
  const end = added.reduce((most, { id }) => Math.max(most, id + 1), vocabulary.end);
  const padded = embedding.rows - end;
  const rest = padded > 0 ? `: ${formatCount(padded)} padded` : '';
  return `${vocabulary.path}: ${formatCount(end)} ids against ${formatCount(embedding.rows)} rows of ${embedding.name}${rest}`;
}

/** Ordinary tokens come of any text; added ones of a text that has them, and many tokenizers have some that no text of theirs has. */
function tokensBeyond(
  vocabulary: NonNullable<TokenizerFacts['vocabulary']>,
  { added }: TokenizerFacts,
  { name, rows }: EmbeddingRows,
): Finding[] {
  const beyond = added.filter(({ id }) => id >= rows);
  if (hasOrdinaryBeyond(vocabulary, added, rows))
    return [{ code: 'tokenizer-beyond-embedding', path: vocabulary.path, facts: { tokens: vocabulary.end, rows, tensor: name } }];
  const [first] = beyond;
  if (first === undefined) return [];
  return [
    {
      code: 'added-tokens-beyond-embedding',
      path: vocabulary.path,
      facts: { tokens: beyond.length, first: first.content, id: first.id, rows },
    },
  ];
}

/** The vocabulary of a tokenizer.json may repeat the tokens that were added to it. */
function hasOrdinaryBeyond({ tokens, end }: TokenIds, added: readonly AddedToken[], rows: number): boolean {
  if (end <= rows) return false;
  const repeated = new Set(added.flatMap(({ id }) => (id >= rows && id < end ? [id] : [])));
  return !repeated.has(end - 1) || (tokens === end && end - rows > repeated.size);
}

/** Keys of ids that every model with a token embedding looks up in it. Models for sound have others, of tables of their own. */
const idKey =
  /^(?:(?:bos|eos|pad|sep|cls|mask|unk|decoder_start|forced_bos|forced_eos)_token_id|(?:image|video)_token_(?:id|index))$/;

export type IdBeyond = Extract<Finding, { code: 'special-id-beyond-embedding' }>;

/** Ids of config.json, in the object that the embedding belongs to. */
export function specialIds(config: unknown, rows: number): IdBeyond[] {
  return [config, memberOf(config, 'text_config')].flatMap((part) =>
    isObject(part) ? idsBeyond(part, rows, 'config.json') : [],
  );
}

/** @param path of the file with the ids */
export function idsBeyond(settings: object, rows: number, path: string): IdBeyond[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]): IdBeyond[] => {
    if (!idKey.test(key)) return [];
    const ids: unknown[] = Array.isArray(value) ? value : [value];
    const id = ids.find((each) => isTokenId(each) && each >= rows);
    return id === undefined ? [] : [{ code: 'special-id-beyond-embedding', path, facts: { key, id: id as number, rows } }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `nn.Embedding` is made by the sizes of the config, whatever the tensors have. */
function paddingRefused(config: unknown): Finding[] {
  return [config, memberOf(config, 'text_config')].flatMap((part): Finding[] => {
    const [id, vocabulary, modelType] = ['pad_token_id', 'vocab_size', 'model_type'].map((key) => memberOf(part, key));
    if (!isTokenId(id) || !isTokenId(vocabulary) || id < vocabulary || !refusesPadding(modelType)) return [];
    return [{ code: 'padding-id-refused', path: 'config.json', facts: { id, vocabulary, modelType: modelType as string } }];
  });
}
