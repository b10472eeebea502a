/**
 * Tensors that a model lacks, by the layers that have them: transformers fills a parameter that no file holds with random numbers, warns
 * in a log line and goes on (transformers/modeling_utils.py: _load_pretrained_model); llama.cpp refuses the file.
 */
import type { Finding } from '../findings/finding.js';
import { findingTable } from '../findings/findingTable.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { isEmbeddingName } from './otherModels.js';
import { isModelDirectory, ownWeights } from './ownWeights.js';
import type { Parts } from './parts.js';

export interface AbsentTensors {
  findings: Finding[];
  /** What was compared, as a clause; undefined where nothing was. */
  layers: string | undefined;
}

/** Architectures of transformers whose layers all have the same tensors. */
const uniformTypes: ReadonlySet<unknown> = new Set([
  'llama',
  'mistral',
  'mixtral',
  'qwen2',
  'qwen3',
  'gemma',
  'gemma2',
  'phi',
  'phi3',
  'gpt2',
  'gpt_neox',
  'gptj',
  'opt',
  'bloom',
  'falcon',
  'starcoder2',
  'olmo',
  'olmo2',
  'cohere',
  'granite',
  'stablelm',
  'bert',
  'roberta',
  'distilbert',
]);

/** Modules of output embeddings, by the architecture's class. */
const headName = /(^|\.)(lm_head|embed_out|output_embeddings?|output)(\.|$)/;
/** GPT-NeoX calls the head `embed_out`, all others of these `lm_head`. */
const headOf = (type: unknown): string => (type === 'gpt_neox' ? 'embed_out.weight' : 'lm_head.weight');
const layerName = /^(.*?(?:^|[./])(?:layers|layer|h|blocks|block|blk))\.(\d{1,4})\.(.+)$/;
/** Packed weights have tensors of their own beside, which depend on the width: a module is compared, not its tensors. */
const tensorOfModule = /\.(?:weight(?:[._].*)?|[^.]+)$/;

/** Other layouts whose files are one model. */
const otherLayouts: ReadonlySet<Parts['layout']> = new Set<Parts['layout']>(['gguf', 'litgpt']);
/** Fewer layers do not tell which of two is the odd one. */
const MIN_LAYERS = 3;
/** Names of one kind of tensor, with the layers that have it. */
type Stack = Map<string, Set<number>>;

/** None where files are damaged or missing: the tensors may be in them. */
export function findAbsentTensors(parts: Parts, config: unknown): AbsentTensors {
  const isWhole = parts.findings.every(({ code }) => findingTable[code].severity !== 'error');
  if (!isWhole || !(isModelDirectory(parts) || otherLayouts.has(parts.layout))) return { findings: [], layers: undefined };
  const type = memberOf(config, 'model_type');
  const isUniform = uniformTypes.has(type);
  const isPacked = memberOf(config, 'quantization_config') !== undefined || memberOf(config, 'quantization') !== undefined;
  const { stacks, hasHead, hasEmbedding } = formOfModel(parts, isPacked);
  const lacking = [...stacks].map(([prefix, stack]) => absentIn(prefix, stack, isUniform));
  const lacksHead =
    isCausal(config) && isUniform && memberOf(config, 'tie_word_embeddings') === false && hasEmbedding && !hasHead;
  const count = lacking.reduce((sum, one) => sum + one.count, lacksHead ? 1 : 0);
  const tensor = lacking.find(({ first }) => first !== undefined)?.first ?? headOf(type);
  const compared = [...stacks.values()].some((stack) => layersOf(stack).size > 1)
    ? 'tensors of each layer against those of the other layers'
    : undefined;
  return { findings: count === 0 ? [] : [{ code: 'tensors-absent', facts: { absent: count, tensor } }], layers: compared };
}

function isCausal(config: unknown): boolean {
  const architectures = memberOf(config, 'architectures');
  return Array.isArray(architectures) && architectures.some((name) => typeof name === 'string' && name.endsWith('ForCausalLM'));
}

interface ModelNames {
  stacks: Map<string, Stack>;
  hasHead: boolean;
  hasEmbedding: boolean;
}

function formOfModel(parts: Parts, isPacked: boolean): ModelNames {
  const names: ModelNames = { stacks: new Map(), hasHead: false, hasEmbedding: false };
  for (const { row } of ownWeights(parts)) {
    const name = parts.tensors.nameOf(row);
    const [, prefix, number, rest] = layerName.exec(name) ?? [];
    if (prefix === undefined || rest === undefined) {
      names.hasHead ||= headName.test(name);
      names.hasEmbedding ||= isEmbeddingName(name);
      continue;
    }
    const stack: Stack = names.stacks.get(prefix) ?? new Map<string, Set<number>>();
    const kind = isPacked ? rest.replace(tensorOfModule, '') : rest;
    stack.set(kind, (stack.get(kind) ?? new Set()).add(Number(number)));
    names.stacks.set(prefix, stack);
  }
  return names;
}

function layersOf(stack: Stack): Set<number> {
  const layers = new Set<number>();
  for (const own of stack.values()) for (const layer of own) layers.add(layer);
  return layers;
}

interface Absent {
  /** How many: a file may have a kind of tensor for each of a million, so that there is no list of them. */
  count: number;
  /** The first, by name; undefined where there are none. */
  first: string | undefined;
}

/** Tensors that a layer lacks. Where layers may differ, only one that a single inner layer lacks of a module that it has. Takes time by tensors alone. */
function absentIn(prefix: string, stack: Stack, isUniform: boolean): Absent {
  const absent: Absent = { count: 0, first: undefined };
  const layers = layersOf(stack);
  // Layers of one kind of tensor say nothing of the others.
  if (stack.size < 2 || layers.size < 2) return absent;
  const note = (count: number, name: () => string): void => {
    if (count > 0) absent.first ??= name();
    absent.count += count;
  };
  let last = 0;
  for (const layer of layers) last = Math.max(last, layer);
  const modules = isUniform ? undefined : layersByModule(stack);
  for (const [kind, own] of stack) {
    const lacking = layers.size - own.size;
    if (isUniform) note(lacking, () => `${prefix}.${firstBeyond(layers, own)}.${kind}`);
    if (modules === undefined || lacking !== 1 || layers.size < MIN_LAYERS) continue;
    const layer = firstBeyond(layers, own);
    const hasSibling = modules.get(moduleOf(kind))?.has(layer) === true;
    if (hasSibling && isInner(layer, last)) note(1, () => `${prefix}.${layer}.${kind}`);
  }
  // Layers of which nothing is there.
  if (isUniform) note(last + 1 - layers.size, () => `${prefix}.${firstBelow(layers)}`);
  return absent;
}

/** One that is not among the own ones. */
function firstBeyond(layers: ReadonlySet<number>, own: ReadonlySet<number>): number {
  for (const layer of layers) if (!own.has(layer)) return layer;
  return 0;
}

function firstBelow(layers: ReadonlySet<number>): number {
  let layer = 0;
  while (layers.has(layer)) layer++;
  return layer;
}

/** The first and the last layer of many architectures differ by design. */
function isInner(layer: number, last: number): boolean {
  return layer > 0 && layer < last;
}

/** `self_attn` of `self_attn.q_proj.weight`; empty for a tensor of the layer itself. */
function moduleOf(kind: string): string {
  const parts = kind.replace(tensorOfModule, '').split('.');
  return parts.slice(0, -1).join('.');
}

/** Layers that have any part of a module. */
function layersByModule(stack: Stack): Map<string, Set<number>> {
  const modules = new Map<string, Set<number>>();
  for (const [kind, own] of stack) {
    const module = moduleOf(kind);
    if (module === '') continue;
    const layers = modules.get(module) ?? new Set<number>();
    for (const layer of own) layers.add(layer);
    modules.set(module, layers);
  }
  return modules;
}
