/**
 * Flavors as a checkout of torchtitan registers them, `llama3_configs = {"8B": TransformerModelArgs(dim=4096, …)}` in torchtitan/models/NAME/__init__.py (until 9810191,
 * February 2026). Read as text: what is no literal tells nothing.
 */
import type { ConfigAccess, ConfigFile, ModelSource } from '../../configs/configKind.js';
import { nowhere } from '../../configs/document/configNode.js';
import { pythonCalls, withoutDocumentation } from '../../configs/document/pythonCalls.js';
import { Fields } from '../../configs/fields.js';
import { entryOf } from '../../text/entryOf.js';
import { feedForwardWidth } from '../metaLlama/config.js';

/** A model's flavor from the registry beside the config, whose own sizes go before those of published models; null where there is none that text tells. */
export async function registeredFlavor(name: string, flavor: string, access: ConfigAccess): Promise<ModelSource | null> {
  if (!/^\w{1,60}$/.test(name)) return null;
  const registry = (await access.open(`torchtitan/models/${name}/__init__.py`)) ?? (await access.open('../__init__.py'));
  const sizes = registry?.document.syntax === 'python' ? sizesOf(registry, name, flavor) : null;
  if (registry === null || sizes === null) return null;
  const values = sizes.className === 'Qwen3ModelArgs' ? qwen3Values(sizes.fields) : llamaValues(sizes.fields);
  if (values === null) return null;
  return { kind: 'fields', fields: Fields.fromValues(values), origin: { kind: 'file', path: registry.path } };
}

/** Arguments that change no size. */
const harmless = new Set([
  'rope_theta',
  'norm_eps',
  'use_flex_attn',
  'attn_mask_type',
  'attn_type',
  'max_seq_len',
  'depth_init',
  'eos_id',
  'rope_scaling_args',
]);
/** Classes of arguments whose sizes are known here, by how the names of their models begin: Llama 4's class goes by the same name as Llama 3's, and has experts. */
const classes: Readonly<Record<string, string>> = {
  TransformerModelArgs: 'llama3',
  Llama3ModelArgs: 'llama3',
  Qwen3ModelArgs: 'qwen3',
};

function sizesOf({ text: file }: ConfigFile, name: string, flavor: string): { className: string; fields: Fields } | null {
  const text = withoutDocumentation(file);
  const key = [`"${flavor}":`, `'${flavor}':`].find((written) => text.includes(written));
  if (key === undefined) return null;
  const rest = text.slice(text.indexOf(key) + key.length);
  const className = /^\s*(\w{1,60})\(/.exec(rest)?.[1];
  if (className === undefined || !name.startsWith(entryOf(classes, className) ?? '-')) return null;
  const [call] = pythonCalls(rest, [className], () => undefined);
  if (call === undefined || call.unread.some((argument) => !harmless.has(argument))) return null;
  const members = new Map(call.keywords.map((member) => [member.key, member]));
  return { className, fields: Fields.of({ root: { kind: 'map', span: nowhere, members } }) };
}

type Values = Readonly<Record<string, string | number | boolean>>;

/** In the words of transformers' config. Llama's vocabulary is that of its tokenizer unless it is set (model/args.py). */
function llamaValues(fields: Fields): Values | null {
  const [hidden, layers, heads] = [fields.integer('dim'), fields.integer('n_layers'), fields.integer('n_heads')];
  if (hidden === undefined || layers === undefined || heads === undefined) return null;
  return {
    model_type: 'llama',
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: fields.integer('n_kv_heads') ?? heads,
    intermediate_size: feedForwardWidth(hidden, fields),
    vocab_size: fields.integer('vocab_size') ?? 128_256,
    tie_word_embeddings: false,
  };
}

/** The dense ones: null with experts. */
function qwen3Values(fields: Fields): Values | null {
  const values = {
    hidden_size: fields.integer('dim'),
    num_hidden_layers: fields.integer('n_layers'),
    num_attention_heads: fields.integer('n_heads'),
    num_key_value_heads: fields.integer('n_kv_heads'),
    head_dim: fields.integer('head_dim'),
    intermediate_size: fields.integer('hidden_dim'),
    vocab_size: fields.integer('vocab_size'),
  };
  const known = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  if (known.length < Object.keys(values).length || fields.flag('moe_enabled') === true) return null;
  return { model_type: 'qwen3', ...Object.fromEntries(known), tie_word_embeddings: fields.flag('enable_weight_tying') === true };
}
