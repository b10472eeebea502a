/** `trainable_token_indices` of an adapter against the embeddings whose rows they are (peft/tuners/trainable_tokens/layer.py, 0.21.2). */
import type { AdaptedModel } from '../configs/adapters/adapterModules.js';
import { memberOf } from '../formats/text/jsonMember.js';

export interface TokenBeyond {
  token: number;
  /** Of the embedding. */
  rows: number;
  /** Name pattern of the embedding. */
  module: string;
}

type Tokens = AdaptedModel['tokens'];

/** The first that is no row of its embedding: PEFT copies these rows, and torch raises. Python counts negative ones from the end. */
export function tokenBeyond(config: unknown, embeddings: Tokens): TokenBeyond | undefined {
  for (const { module, pattern, vocabulary } of embeddings) {
    const token = tokensOf(config, module).find((id) => id >= vocabulary || id < -vocabulary);
    if (token !== undefined) return { token, rows: vocabulary, module: pattern };
  }
  return undefined;
}

/** Modules of the setting that the base model does not have, whose tensors have these names. */
export function absentModules(config: unknown, names: readonly string[]): string[] {
  const setting = memberOf(config, 'trainable_token_indices');
  if (typeof setting !== 'object' || setting === null || Array.isArray(setting)) return [];
  return Object.keys(setting).filter((module) => !names.some((name) => `.${name}`.includes(`.${module}.`)));
}

/** @param module of the setting; empty for the input embedding, of which it is a list */
function tokensOf(config: unknown, module: string): number[] {
  const setting = memberOf(config, 'trainable_token_indices');
  const tokens = Array.isArray(setting) ? setting : memberOf(setting, module);
  return Array.isArray(tokens) ? tokens.filter((token) => typeof token === 'number') : [];
}
