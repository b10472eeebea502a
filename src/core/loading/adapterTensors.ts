/** The tensors of an adapter's file against those that PEFT makes of its config and its base model. */
import { modulesOfAdapter, type AdaptedModel, type ModuleOfAdapter } from '../configs/adapters/adapterModules.js';
import { appendAll } from '../bytes/appendAll.js';
import type { StackedParameter } from '../configs/adapters/adapterExperts.js';
import { modulesOfTask } from '../configs/adapters/adapterTargets.js';
import { layerCounts, nameAt, numbersIn, stackOf } from '../configs/architectures/moduleNames.js';
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';
import type { CountedModel } from '../configs/countModel.js';
import type { AdapterPlan } from '../configs/trainingPlan.js';
import { asLoaded, type LoadedTensor, type StoredTensor } from './adapterNames.js';

interface ExpectedTensor {
  name: string;
  /** Null where it is not known. */
  shape: readonly number[] | null;
}

interface MismatchedTensor {
  name: string;
  expected: readonly number[];
  found: readonly number[];
  /** Rows of an embedding or of the output layer, where nothing else differs: those of the base and those of the adapter. */
  vocabulary: { base: number; adapter: number } | null;
}

export interface AdapterComparison {
  /** Low-rank matrices that PEFT makes. */
  expected: number;
  /** Tensors of both kinds that were looked for; where shapes alone were compared, those that have a counterpart. */
  compared: number;
  missing: ExpectedTensor[];
  /** Tensors of modules that are saved whole, which PEFT looks for by name, and that are not there. */
  required: ExpectedTensor[];
  unexpected: StoredTensor[];
  /** Those of another shape, but for the rank. */
  mismatched: MismatchedTensor[];
  /** Those of another rank alone. */
  ranks: { expected: number; found: number; tensor: Omit<MismatchedTensor, 'vocabulary'> }[];
  /** Embeddings of which rows are trained. */
  tokens: AdaptedModel['tokens'];
  /** No module of the base is a target. */
  hasNoTarget: boolean;
  /** Why shapes alone were compared, each as the end of a sentence; empty where all modules are known. */
  open: readonly string[];
}

const prefix = 'base_model.model.';

/** A tensor that PEFT makes, or a parameter of the base that a tensor of that name goes into. */
interface Expected {
  /** With `N` for the layer, and for numbers that are not known. */
  pattern: string;
  layer: number | null;
  suffix: string;
  /** Null where the shape is not known. */
  shape: readonly number[] | null;
  /** With the labels of the config, where training may have had others. */
  usual?: readonly number[];
  /** Which of its dimensions is the rank; -1 without one. */
  rankAt: number;
  /** Whose ranks are one after the other in that dimension; one where it is left out. */
  experts?: number;
  kind: 'low-rank' | 'required';
  /** Which of its dimensions are the ids of the vocabulary; -1 without one. */
  rowsAt: number;
}

/**
 * Null for a model whose modules are not known, and for adapters other than LoRA and DoRA.
 * @param hasOwnHead false where the number of labels is not that of the config
 */
export function compareTensors(
  stored: readonly StoredTensor[],
  model: CountedModel,
  plan: AdapterPlan,
  hasOwnHead = true,
): AdapterComparison | null {
  const modules = modulesOfAdapter(model, plan);
  if (modules === null || model.groups === null) return null;
  // Those of models for pictures and text were changed by transformers 5.
  const open = [...modules.open, ...(model.basis === 'shapes' ? ['the architecture of the base is not known'] : [])];
  const isComplete = open.length === 0;
  const ofTask = new Set(hasOwnHead ? [] : modulesOfTask(plan.task));
  const expected = new Map(expectedOf(modules, plan, ofTask).map((each) => [keyOf(each.pattern, each.layer, each.suffix), each]));
  const result: AdapterComparison = {
    expected: [...expected.values()].filter(({ kind }) => kind === 'low-rank').length,
    compared: isComplete ? expected.size : 0,
    ...{ missing: [], required: [], unexpected: [], mismatched: [], ranks: [] },
    tokens: modules.tokens,
    hasNoTarget: isComplete && modules.adapted.length + modules.stacked.length === 0 && plan.targets.length > 0,
    open,
  };
  if (result.hasNoTarget) return result;
  const base = baseParameters(model.groups);
  const inner = new Map<string, string>();
  const adapted = new Set(modules.adapted.map(({ pattern, layer }) => keyOf(pattern, layer, '')));
  for (const tensor of asLoaded(stored, model)) compareOne(tensor, { expected, adapted, base, inner, result });
  if (!isComplete) return { ...result, unexpected: [] };
  for (const { pattern, layer, suffix, kind, shape, usual = null } of expected.values()) {
    const name = `${prefix}${concreteName(pattern, layer, inner)}.${suffix}`;
    (kind === 'required' ? result.required : result.missing).push({ name, shape: shape ?? usual });
  }
  return result;
}

interface Comparing {
  /** Those that were not met yet. */
  expected: Map<string, Expected>;
  /** Modules that low-rank matrices are put around. */
  adapted: ReadonlySet<string>;
  base: ReadonlyMap<string, BaseParameter>;
  /** Second numbers of names by their patterns. */
  inner: Map<string, string>;
  result: AdapterComparison;
}

function compareOne({ name, shape, stored }: LoadedTensor, comparing: Comparing): void {
  const { expected, adapted, base, inner, result } = comparing;
  const split = name.startsWith(prefix) ? splitName(name.slice(prefix.length)) : undefined;
  if (split === undefined) {
    appendAll(result.unexpected, stored);
    return;
  }
  const { module, pattern, numbers, suffix, isInner } = split;
  const layer = numbers[0] === undefined ? null : Number(numbers[0]);
  if (numbers[1] !== undefined) inner.set(pattern, numbers[1]);
  const key = [keyOf(module, null, suffix), keyOf(pattern, layer, suffix)].find((one) => expected.has(one));
  const wanted = key === undefined ? undefined : expected.get(key);
  if (key !== undefined && wanted !== undefined) {
    expected.delete(key);
    if (result.open.length > 0) result.compared += 1;
    compareShapes(name, shape, wanted, result);
    return;
  }
  // A parameter of the base model itself: PEFT loads it there.
  const inStack = numbers[0] === undefined ? module : module.replace(`.${numbers[0]}.`, '.N.');
  const own = [module, inStack, pattern].map((one) => base.get(`${one}.${suffix}`)).find((one) => one !== undefined);
  // Around an adapted one PEFT has a layer of its own, and the parameter is `base_layer.weight`.
  const isAround = !isInner && [keyOf(module, null, ''), keyOf(pattern, layer, '')].some((one) => adapted.has(one));
  if (own !== undefined && (layer ?? 0) < own.layers && !isAround) {
    result.compared += 1;
    compareShapes(name, shape, { shape: own.group.shape, rankAt: -1, rowsAt: isOfVocabulary(own.group) ? 0 : -1 }, result);
  } else appendAll(result.unexpected, stored);
}

function isInHead(pattern: string, heads: ReadonlySet<string>): boolean {
  return pattern.split('.').some((segment) => heads.has(segment));
}

function compareShapes(
  name: string,
  found: readonly number[],
  { shape, rankAt, experts = 1, rowsAt }: Pick<Expected, 'shape' | 'rankAt' | 'experts' | 'rowsAt'>,
  result: AdapterComparison,
): void {
  if (shape === null) return;
  const differing = shape.flatMap((size, at) => (size === found[at] ? [] : [at]));
  if (shape.length === found.length && differing.length === 0) return;
  const isRank = shape.length === found.length && rankAt >= 0 && differing.every((at) => at === rankAt);
  const [own, stored] = [shape[rankAt] ?? 0, found[rankAt] ?? 0].map((size) => size / experts);
  if (isRank && own !== undefined && Number.isSafeInteger(stored))
    result.ranks.push({
      expected: own,
      found: stored as number,
      tensor: { name, expected: shape, found },
    });
  else {
    const isVocabulary = rowsAt >= 0 && shape.length === found.length && differing.every((at) => at === rowsAt);
    const vocabulary = isVocabulary ? { base: shape[rowsAt] as number, adapter: found[rowsAt] as number } : null;
    result.mismatched.push({ name, expected: shape, found, vocabulary });
  }
}

/** Ends of names that PEFT gives, and those of the parameters of a module. */
const suffixes = /\.((?:lora_[AB]|lora_embedding_[AB]|lora_magnitude_vector|token_adapter|base_layer)(?:\.[\w.]+)?|weight|bias)$/;

interface SplitName {
  module: string;
  pattern: string;
  numbers: string[];
  suffix: string;
  /** Of the layer that another one is around. */
  isInner: boolean;
}

function splitName(name: string): SplitName | undefined {
  const found = suffixes.exec(name);
  if (found === null) return undefined;
  const numbers: string[] = [];
  const module = name.slice(0, found.index);
  const pattern = module
    .split('.')
    .map((segment) => {
      if (!/^\d{1,9}$/.test(segment)) return segment;
      numbers.push(segment);
      return 'N';
    })
    .join('.');
  const suffix = (found[1] as string)
    .replace(/^base_layer\.(?!lora_)/, '')
    .replace(/^lora_magnitude_vector\.weight$/, 'lora_magnitude_vector');
  return { module, pattern, numbers, suffix, isInner: (found[1] as string).startsWith('base_layer.') };
}

/** A name as it is, or its pattern where a number behind the layer's is not known. */
function keyOf(pattern: string, layer: number | null, suffix: string): string {
  return numbersIn(pattern) > 1 ? `${layer ?? ''} ${pattern}.${suffix}` : `${nameAt(pattern, layer ?? 0)}.${suffix}`;
}

function concreteName(pattern: string, layer: number | null, inner: ReadonlyMap<string, string>): string {
  const first = layer === null ? pattern : pattern.replace(/(^|\.)N(?=\.|$)/, `$1${layer}`);
  return first.replace(/(^|\.)N(?=\.|$)/, `$1${inner.get(pattern) ?? 'N'}`);
}

/** @param open modules of the task whose rows are as many as the training had labels */
function expectedOf({ adapted, stacked, whole, tokens }: AdaptedModel, plan: AdapterPlan, open: ReadonlySet<string>): Expected[] {
  return [
    ...adapted.flatMap((module) => lowRank(module, plan)),
    ...stacked.flatMap(stackedLowRank),
    ...whole.map((module): Expected => {
      const suffix = module.group.name.slice(module.group.name.lastIndexOf('.') + 1);
      const shape = isInHead(module.pattern, open) ? null : module.group.shape;
      return { ...placed(module, suffix, shape, { rowsAt: 0 }), kind: 'required', usual: module.group.shape };
    }),
    ...tokens.map(({ pattern, rows, width }): Expected => {
      const suffix = 'token_adapter.trainable_tokens_delta';
      return { pattern, layer: null, suffix, shape: [rows, width], rankAt: -1, kind: 'required', rowsAt: -1 };
    }),
  ];
}

/** peft/tuners/lora/layer.py: an embedding has its matrices transposed, as parameters of their own. */
function lowRank(module: ModuleOfAdapter, { kind, hasAdapterBias }: AdapterPlan): Expected[] {
  const { rank, group } = module;
  const [outputs = 0, inputs = 0] = group.shape;
  const vector =
    kind === 'dora'
      ? [placed(module, 'lora_magnitude_vector', group.kind === 'embedding' ? null : [outputs], { rowsAt: 0 })]
      : [];
  if (group.kind === 'convolution') {
    const ones = group.shape.slice(2).map(() => 1);
    return [
      placed(module, 'lora_A.weight', [rank, ...group.shape.slice(1)], { rankAt: 0 }),
      placed(module, 'lora_B.weight', [outputs, rank, ...ones], { rankAt: 1 }),
      ...vector,
    ];
  }
  if (group.kind === 'embedding')
    return [
      placed(module, 'lora_embedding_A', [rank, outputs], { rankAt: 0, rowsAt: 1 }),
      placed(module, 'lora_embedding_B', [inputs, rank], { rankAt: 1 }),
      ...vector,
    ];
  return [
    placed(module, 'lora_A.weight', [rank, inputs], { rankAt: 0 }),
    placed(module, 'lora_B.weight', [outputs, rank], { rankAt: 1, rowsAt: 0 }),
    ...(hasAdapterBias === true ? [placed(module, 'lora_B.bias', [outputs], { rowsAt: 0 })] : []),
    ...vector,
  ];
}

/** As many rows as there are experts, of each the rank. */
function stackedLowRank({ pattern, layer, depth, rank, experts, inputs, outputs }: StackedParameter): Expected[] {
  const level = 'base_layer.'.repeat(depth);
  const common = { pattern, layer, kind: 'low-rank', rowsAt: -1 } as const;
  return [
    { ...common, suffix: `${level}lora_A.weight`, shape: [rank * experts, inputs], rankAt: 0, experts },
    { ...common, suffix: `${level}lora_B.weight`, shape: [outputs, rank * experts], rankAt: 1, experts },
  ];
}

/** @param rowsAt of a module whose outputs are the vocabulary */
function placed(
  { pattern, layer, group }: ModuleOfAdapter,
  suffix: string,
  shape: readonly number[] | null,
  { rankAt = -1, rowsAt = -1 }: { rankAt?: number; rowsAt?: number },
): Expected {
  return { pattern, layer, suffix, shape, rankAt, kind: 'low-rank', rowsAt: isOfVocabulary(group) ? rowsAt : -1 };
}

function isOfVocabulary({ kind }: TensorGroup): boolean {
  return kind === 'embedding' || kind === 'head';
}

interface BaseParameter {
  group: TensorGroup;
  layers: number;
}

function baseParameters(groups: readonly TensorGroup[]): ReadonlyMap<string, BaseParameter> {
  const layers = layerCounts(groups);
  return new Map(groups.map((group) => [group.name, { group, layers: layers.get(stackOf(group.name) ?? '') ?? 1 }]));
}
