/** Hyperparameters and vocabulary of ggml files before GGUF. Which model they are of is nowhere stated: their values have to fit. */
import type { GrowingHead } from '../../bytes/growingHead.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { ListExcerpt } from '../text/listExcerpt.js';

export interface GgmlContainer {
  name: 'ggml' | 'ggmf' | 'ggjt';
  /** 0 where the file has none. */
  version: number;
}

export interface GgmlHeader {
  model: 'LLaMA' | 'Whisper';
  hyperparameters: Record<string, number>;
  vocabulary: ListExcerpt;
  /** Where the first tensor begins. */
  end: number;
  /** Data begin at multiples of this. */
  alignment: number;
  /** Quantized blocks have 32-bit scales, as until May 2023. */
  hasEarlyBlocks: boolean;
}

/** Hyperparameters of one model, in the order in which they are stored. */
interface Model {
  name: GgmlHeader['model'];
  fields: readonly string[];
  /** Whether these can be the model's: the values of others fail in more than one of the conditions. */
  fits(values: Readonly<Record<string, number>>): boolean;
  /** Filters of the sound's spectrum, and the number of tokens, are stored before the tokens. */
  hasFilters: boolean;
}

/** enum llama_ftype until August 2023, and the types of whisper.cpp among it. */
const LAST_FILE_TYPE = 18;
/** `ftype` of ggml's later files is the type and this many times the version of the blocks. */
const BLOCK_VERSION_FACTOR = 1000;
const F16_SCALES_VERSION = 2;
/** No dimension, count of layers or of tokens is larger. */
const LARGEST_VALUE = 2 ** 24;
/** The longest tokens of LLaMA and Whisper have some 130 bytes; where the layout is another one, lengths are random. */
const LONGEST_TOKEN_BYTES = 1024;

const llama: Model = {
  name: 'LLaMA',
  fields: ['n_vocab', 'n_embd', 'n_mult', 'n_head', 'n_layer', 'n_rot', 'ftype'],
  // A file of the vocabulary alone has no layers, and embeddings of size 0.
  fits: ({ n_vocab, n_head, ftype }) => isPositive(n_vocab) && isPositive(n_head) && (ftype as number) <= LAST_FILE_TYPE,
  hasFilters: false,
};

const whisper: Model = {
  name: 'Whisper',
  fields: [
    ...['n_vocab', 'n_audio_ctx', 'n_audio_state', 'n_audio_head', 'n_audio_layer'],
    ...['n_text_ctx', 'n_text_state', 'n_text_head', 'n_text_layer', 'n_mels', 'ftype'],
  ],
  fits: (values) =>
    ['n_vocab', 'n_audio_state', 'n_audio_head', 'n_text_head', 'n_mels'].every((name) => isPositive(values[name])) &&
    values['n_audio_state'] === values['n_text_state'] &&
    (values['ftype'] as number) % BLOCK_VERSION_FACTOR <= LAST_FILE_TYPE &&
    (values['ftype'] as number) <= BLOCK_VERSION_FACTOR * F16_SCALES_VERSION + LAST_FILE_TYPE,
  hasFilters: true,
};

/**
 * The header behind the magic number and version; undefined where it is that of no known model, or could be that of several.
 * @throws FormatError `truncated` where the file ends in it, `limit-exceeded`
 */
export async function readGgmlHeader(head: GrowingHead, container: GgmlContainer): Promise<GgmlHeader | undefined> {
  const start = head.at;
  const models = container.name === 'ggml' ? [llama, whisper] : [llama];
  const fitting: { model: Model; values: Record<string, number>; end: number }[] = [];
  for (const model of models) {
    head.at = start;
    const values = await head.parse(() => valuesOf(model, head));
    if (Object.values(values).every((value) => value >= 0 && value <= LARGEST_VALUE) && model.fits(values))
      fitting.push({ model, values, end: head.at });
  }
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return undefined;
  head.at = only.end;
  const vocabulary = await readVocabulary(head, only.model, only.values, container);
  if (vocabulary === undefined) return undefined;
  return {
    model: only.model.name,
    hyperparameters: only.values,
    vocabulary,
    end: head.at,
    alignment: container.name === 'ggjt' ? 32 : 1,
    hasEarlyBlocks: hasEarlyBlocks(only.model, only.values, container),
  };
}

function valuesOf({ fields }: Model, head: GrowingHead): Record<string, number> {
  const at = head.take(4 * fields.length);
  return Object.fromEntries(fields.map((name, index) => [name, head.view.getInt32(at + 4 * index, true)]));
}

/** ggjt counts its versions with those of the blocks; without versions `ftype` has that of the blocks from May 2023 on. */
function hasEarlyBlocks(model: Model, values: Readonly<Record<string, number>>, { version }: GgmlContainer): boolean {
  if (model === llama) return version < 3;
  return Math.floor((values['ftype'] as number) / BLOCK_VERSION_FACTOR) < F16_SCALES_VERSION;
}

/** Undefined where these are no tokens. */
async function readVocabulary(
  head: GrowingHead,
  model: Model,
  values: Readonly<Record<string, number>>,
  container: GgmlContainer,
): Promise<ListExcerpt | undefined> {
  let tokens = values['n_vocab'] as number;
  if (model.hasFilters) {
    const counted = await head.parse(() => skipFilters(head, values['n_mels'] as number));
    // Special tokens are not stored: there are fewer than the model has.
    if (counted === undefined || counted < 0 || counted > tokens) return undefined;
    tokens = counted;
  }
  const scoreBytes = container.version > 0 ? 4 : 0;
  return await head.parse(() => tokensOf(head, tokens, scoreBytes));
}

/** The number of tokens, which is stored behind the filters; undefined where these are not the model's. */
function skipFilters(head: GrowingHead, mels: number): number | undefined {
  const at = head.take(8);
  const [rows, columns] = [head.view.getInt32(at, true), head.view.getInt32(at + 4, true)];
  if (rows !== mels || columns < 0) return undefined;
  head.take(rows * columns * 4);
  return head.view.getInt32(head.take(4), true);
}

/** The first tokens are kept to be shown, the others only walked over. */
function tokensOf(head: GrowingHead, count: number, scoreBytes: number): ListExcerpt | undefined {
  const shown: string[] = [];
  for (let index = 0; index < count; index++) {
    const bytes = head.view.getUint32(head.take(4), true);
    if (bytes > LONGEST_TOKEN_BYTES) return undefined;
    const start = head.take(bytes + scoreBytes);
    if (index < limits.objectChildren) shown.push(decodeText(head.bytes, start, start + bytes));
  }
  return new ListExcerpt(count, shown);
}

function isPositive(value: number | undefined): boolean {
  return value !== undefined && value > 0;
}
