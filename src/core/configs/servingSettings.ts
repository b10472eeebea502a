/** How a config that evaluates, generates or serves loads its model. Undefined is "the file does not say". */
import type { NamedStorage } from './published/modelName.js';
import type { Precision } from './trainingPlan.js';

export interface ServingSettings {
  /** Tokens of the longest sequence, prompt and answer together. */
  contextTokens?: number | undefined;
  /** Sequences at once, at most. */
  sequences?: number | undefined;
  /** What the weights are loaded in, in place of what the model's own config sets. */
  dtype?: Precision | undefined;
  /** Weights of 32 bits are loaded in 16 (vLLM and SGLang, `--dtype auto`). */
  isSixteenBits?: true;
  /** How weights are quantized as they are loaded; `other` where by a method whose bytes are not known. */
  quantization?: LoadingQuantization | 'other' | undefined;
  /** As the name of a published model says, whose own config is not at hand. */
  storedAs?: NamedStorage | undefined;
  /** Of keys and values, in place of the dtype of the model. */
  cacheDtype?: Precision | undefined;
}

/** Methods that quantize weights of 16 bits while they are loaded: bitsandbytes, and 8-bit floats with a scale for each weight matrix. */
export type LoadingQuantization = 'bnb-4bit' | 'bnb-8bit' | 'fp8';
