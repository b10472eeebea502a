import { type ConfigSources, createConfigAccess } from '../../src/core/configs/configAccess.js';
import { estimate, type Estimate, type EstimateOptions, openConfig } from '../../src/core/estimates/estimate.js';
import { buildEstimate } from '../../src/core/estimates/buildEstimate.js';
import type { EstimateReport } from '../../src/core/estimates/estimateReport.js';

/** Files by the path under which a config names them; models of the Hub's cache below `hub:`. */
export type FilesBeside = Readonly<Record<string, string>>;

export function sourcesOf(files: FilesBeside): ConfigSources {
  const find = (path: string) => {
    const text = files[path.replace(/^\.\//, '')];
    return Promise.resolve(text === undefined ? null : { path, text });
  };
  return { read: find, readCached: (model) => find(`hub:${model}`) };
}

/** A config estimated as the command line does it. Throws for what is no config. */
export async function estimateText(
  name: string,
  text: string,
  options: EstimateOptions & { beside?: FilesBeside } = {},
): Promise<{ estimate: Estimate; report: EstimateReport }> {
  const config = await openConfig(name, text);
  if (config === null) throw new Error(`${name} is no config`);
  const made = await estimate(config, createConfigAccess(sourcesOf(options.beside ?? {})), options);
  return { estimate: made, report: buildEstimate(made, name) };
}

/** The config.json of Llama 3 8B, with values changed. */
export function llamaConfig(changes: Readonly<Record<string, unknown>> = {}): string {
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: 4096,
    intermediate_size: 14336,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    vocab_size: 128256,
    tie_word_embeddings: false,
    torch_dtype: 'bfloat16',
    ...changes,
  };
  return JSON.stringify(config, null, 2);
}
