import { concat, u32, utf8 } from './byteWriter.js';

/** Writes the files of ggml before GGUF; every count and length may be overridden to lie. */

export interface GgmlTensor {
  name: string;
  /** ggml's order: fastest first. */
  dimensions: readonly number[];
  type: number;
  data: Uint8Array;
  /** What the head claims, instead of the true numbers. */
  rank?: number;
  nameLength?: number;
}

export interface GgmlFile {
  container?: 'ggml' | 'ggmf' | 'ggjt';
  version?: number;
  /** All of them, in the order of the file. */
  hyperparameters: readonly number[];
  /** Between the hyperparameters and the tokens. */
  filters?: Uint8Array;
  tokens?: readonly string[];
  tensors?: readonly GgmlTensor[];
}

const magics = { ggml: 0x67676d6c, ggmf: 0x67676d66, ggjt: 0x67676a74 };

/** n_vocab, n_embd, n_mult, n_head, n_layer, n_rot, ftype */
export const llamaHyperparameters = (tokens: number, fileType = 0): number[] => [tokens, 32, 32, 4, 1, 8, fileType];

/** n_vocab, n_audio_ctx/state/head/layer, n_text_ctx/state/head/layer, n_mels, ftype */
export const whisperHyperparameters = (tokens: number, fileType = 0): number[] => [
  tokens,
  16,
  32,
  2,
  1,
  12,
  32,
  2,
  1,
  4,
  fileType,
];

/** Filters of 4 mels and 3 frequencies, and the number of tokens. */
export const whisperFilters = (tokens: number): Uint8Array => concat(u32(4), u32(3), new Uint8Array(48), u32(tokens));

export function buildGgml(file: GgmlFile): Uint8Array {
  const { container = 'ggml', version = 1, hyperparameters, filters = new Uint8Array(0), tokens = [], tensors = [] } = file;
  const score = container === 'ggml' ? new Uint8Array(0) : new Uint8Array(4);
  let bytes = concat(
    u32(magics[container]),
    container === 'ggml' ? new Uint8Array(0) : u32(version),
    ...hyperparameters.map(u32),
    filters,
    ...tokens.flatMap((token) => [u32(utf8(token).byteLength), utf8(token), score]),
  );
  for (const tensor of tensors) bytes = concat(bytes, headOf(tensor, bytes.byteLength, container), tensor.data);
  return bytes;
}

function headOf({ name, dimensions, type, rank, nameLength }: GgmlTensor, at: number, container: string): Uint8Array {
  const text = utf8(name);
  const words = [rank ?? dimensions.length, nameLength ?? text.byteLength, type, ...dimensions].map(u32);
  const head = concat(...words, text);
  const end = at + head.byteLength;
  return container === 'ggjt' ? concat(head, new Uint8Array(Math.ceil(end / 32) * 32 - end)) : head;
}
