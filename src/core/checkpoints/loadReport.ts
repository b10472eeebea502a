/** Whether a framework will find in a checkpoint what the config beside it asks for. */
import type { Finding } from '../findings/finding.js';

/**
 * `loads-with-warnings`: the framework goes on, with random numbers in place of tensors or without some that are there. `fails`: it stops.
 * `unknown`: what it looks for is not known, or not enough of it could be compared; `why` says so.
 */
export type LoadVerdict = 'loads' | 'loads-with-warnings' | 'fails' | 'unknown';

/** A tensor that only one side has. */
export interface LoadTensor {
  name: string;
  shape: number[];
}

/** A tensor of another shape than the config asks for. */
export interface LoadMismatch {
  name: string;
  expected: number[];
  found: number[];
}

/** A value of the config that the tensors would fit. */
export interface FittingValue {
  /** Key path in the config, joined with dots. */
  key: string;
  /** Null where the config leaves it out. */
  config: number | boolean | null;
  tensors: number | boolean;
}

/** What was compared, or was not. */
export interface LoadCheckItem {
  what: LoadCheckId;
  /** One clause: what was compared with what, or why it was not. */
  detail: string;
}

export type LoadCheckId =
  | 'config'
  | 'quantization'
  | 'tokenizer'
  | 'generation-config'
  | 'chat-template'
  | 'adapter'
  | 'index'
  | 'optimizer'
  | 'scheduler';

/** Bytes that loading needs. */
export interface LoadMemory {
  /** `serving`: weights alone; `resuming`: weights, gradients, master weights and optimizer state. */
  purpose: 'serving' | 'resuming';
  /** How weights are held in memory. */
  dtype: string;
  tensorParallel: number;
  pipelineParallel: number;
  dataParallel: number;
  /** Of one rank. */
  bytesPerRank: number;
  /** What is summed, in one sentence. */
  source: string;
}

/** A program that makes another form of the checkpoint. It is printed, never run. */
export interface Conversion {
  /** What comes out: `one torch file`, `Hugging Face model`, `DeepSpeed universal checkpoint`. */
  to: string;
  command: string;
  /** In memory while it runs, of one process; null where it is not known. */
  memoryBytes: number | null;
  /** What it writes; null where it is not known. */
  diskBytes: number | null;
  /** Where the command and the figures come from. */
  source: string;
}

/** Config, tokenizer and adapters against the tensors. The lists of tensors are cut at `limits.loadDifferences`; `counts` has all. */
export interface LoadReport {
  /** Whose loader it is: `transformers`. */
  framework: string;
  /** Class that the config names, else its architecture; null where it names none. */
  architecture: string | null;
  verdict: LoadVerdict;
  /** What decides, in one sentence. */
  why: string;
  /** Tensors that the config asks for, those that are there, and those of each list. */
  counts: { expected: number; found: number; missing: number; unexpected: number; mismatched: number };
  missing: LoadTensor[];
  unexpected: LoadTensor[];
  mismatched: LoadMismatch[];
  fits: FittingValue[];
  checked: LoadCheckId[];
  notChecked: LoadCheckItem[];
  /** Absent where the model's size is not known. */
  memory?: LoadMemory[];
  conversions?: Conversion[];
}

/** What checking came to. */
export interface Loading {
  /** Undefined where nothing is there that a model could be loaded from. */
  report: LoadReport | undefined;
  findings: Finding[];
  /** What was compared, each in one clause. */
  done: string[];
}

/** Of files that are no model. */
export const noLoading: Loading = { report: undefined, findings: [], done: [] };
