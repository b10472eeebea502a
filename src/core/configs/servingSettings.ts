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
  /** How weights are quantized as they are loaded: a method whose bytes are known, or as the config calls another. */
  quantization?: LoadingQuantization | { other: string } | undefined;
  /** Experts keep the dtype where linear layers alone are quantized, as those of transformers 5 are parameters of their own. */
  leavesExperts?: true;
  /** As the name of a published model says, whose own config is not at hand. */
  storedAs?: NamedStorage | undefined;
  /** Of keys and values, in place of the dtype of the model. */
  cacheDtype?: Precision | 'other' | undefined;
  /** Layers with a window keep all tokens (vLLM, `--disable-hybrid-kv-cache-manager`). */
  ignoresWindows?: boolean | undefined;
  /** Tensor-parallel ranks of an engine that keeps a group of heads on several of them where there are more ranks than groups (vLLM, SGLang). */
  ranks?: number | undefined;
}

/** Methods that quantize weights of 16 bits while they are loaded: bitsandbytes, and 8-bit floats with a scale for each weight matrix. */
export type LoadingQuantization = 'bnb-4bit' | 'bnb-double' | 'bnb-8bit' | 'fp8';
