/** The modules that PEFT adapts, one by one with their ranks: what an adapter's file has matrices of. `adapterParameters` counts the same ones. */
import type { CountedModel } from '../countModel.js';
import type { AdapterPlan } from '../trainingPlan.js';
import { stackedParameters, type StackedParameter } from './adapterExperts.js';
import { hasPlainRouter, stackedExpertNames } from './adapterTargets.js';
import { isInFrozenPart, maximumLayers, planJob, rankOf, targetFor, type AdapterJob } from './adapterTensors.js';
import { isExpert, isModuleWeight, moduleOf, nameAt, numbersIn, stackOf } from '../architectures/moduleNames.js';
import type { TensorGroup } from '../architectures/tensorGroup.js';
import { withTargets } from './countAdapter.js';

export interface ModuleOfAdapter {
  /** Name pattern of the module, with `N` for each number. */
  pattern: string;
  /** Its first number; null for a module outside of a stack. Numbers behind it are those of the pattern's one module of a layer. */
  layer: number | null;
  rank: number;
  /** The weight of the module, or another of its parameters where it is saved whole. */
  group: TensorGroup;
}

export interface AdaptedModel {
  /** Modules with low-rank matrices. */
  adapted: ModuleOfAdapter[];
  /** Modules that are trained and saved as copies. */
  whole: ModuleOfAdapter[];
  /** Rows of embeddings that are trained by themselves. */
  tokens: {
    /** As the setting names it; empty for the input embedding. */
    module: string;
    pattern: string;
    rows: number;
    width: number;
    /** Rows of the whole embedding. */
    vocabulary: number;
  }[];
  /** Parameters that all experts of a layer are stacked in, and routers. */
  stacked: StackedParameter[];
  /** Why more may be adapted, each as the end of a sentence; empty where all modules are known. */
  open: Set<string>;
}

/** Null for a model of which only a number of parameters is known, and for adapters other than LoRA and DoRA, as AdaLoRA. */
export function modulesOfAdapter({ groups, modelType }: CountedModel, given: AdapterPlan): AdaptedModel | null {
  const isLowRank =
    (given.kind === 'lora' || given.kind === 'dora') && given.hasSingularValues !== true && given.roles === undefined;
  if (groups === null || !isLowRank) return null;
  const type = modelType ?? undefined;
  const adapter = withTargets(given, type);
  const job = planJob(groups, adapter, stackedExpertNames(type), hasPlainRouter(type));
  const found: AdaptedModel = { adapted: [], whole: [], tokens: [], stacked: [], open: new Set() };
  for (const group of groups) {
    if (isInFrozenPart(job, group)) continue;
    if (!isExpert(group)) addModules(job, group, found);
    addTokens(job, group, found);
  }
  const { stacked, open } = stackedParameters(job, groups, type);
  found.stacked = stacked;
  for (const reason of open) found.open.add(reason);
  for (const target of job.unresolved) found.open.add(`what its target ${target} means is not known`);
  return found;
}

function addModules(job: AdapterJob, group: TensorGroup, found: AdaptedModel): void {
  const pattern = moduleOf(group);
  const stack = stackOf(pattern);
  const layers = stack === null ? 1 : (job.layers.get(stack) ?? 0);
  // Which layers have it is not known, or several of a layer have one pattern.
  const isPlaced = layers <= maximumLayers && group.copies === layers;
  for (let layer = 0; layer < Math.min(layers, maximumLayers); layer++) {
    const names = numbersIn(pattern) < 2 ? [nameAt(pattern, layer)] : [0, 1, 2].map((inner) => nameAt(pattern, layer, inner));
    const at = { pattern, layer: stack === null ? null : layer, group };
    const isWhole = names.some((name) => job.whole.has(name, group));
    const name = isModuleWeight(group) ? names.find((each) => targetFor(job, each, group) !== undefined) : undefined;
    const isAdapted = name !== undefined && isChosen(job, name, at.layer);
    // What PEFT adds to another convolution hangs on its groups.
    const isUsual = group.kind !== 'norm' && (group.kind !== 'convolution' || /\.patch_embed/.test(pattern));
    if ((isWhole || isAdapted) && !isPlaced) found.open.add(`which layers have ${pattern} is not known`);
    else if (isWhole) found.whole.push({ ...at, rank: 0 });
    else if (isAdapted && job.routers.has(pattern)) {
      // No module that PEFT adapts: where all linear layers are meant, it is none, and by its name PEFT refuses it.
      if (targetFor(job, name, group)?.text.toLowerCase() !== 'all-linear') found.open.add(`${pattern} is no linear layer`);
    } else if (isAdapted && !isUsual) found.open.add(`adapters of ${pattern}, a ${group.kind}, are not compared`);
    else if (isAdapted) found.adapted.push({ ...at, rank: rankOf(job, name, group) });
  }
}

/** Layers do not matter for a target that is a whole name (peft/tuners/tuners_utils.py, check_target_module_exists). */
function isChosen({ adapter, names }: AdapterJob, name: string, layer: number | null): boolean {
  if (adapter.layers === undefined || names.has(name)) return true;
  return layer !== null && adapter.layers.includes(layer);
}

function addTokens({ adapter, inputEmbedding }: AdapterJob, group: TensorGroup, found: AdaptedModel): void {
  if (adapter.trainedTokens === undefined || (group.kind !== 'embedding' && group.kind !== 'head') || group.isTied === true)
    return;
  const pattern = moduleOf(group);
  for (const [module, rows] of Object.entries(adapter.trainedTokens)) {
    const isMeant = module === '' ? group === inputEmbedding : pattern === module || pattern.endsWith(`.${module}`);
    if (isMeant) {
      const [vocabulary = 0, width = 0] = group.shape;
      found.tokens.push({ module, pattern, rows, width, vocabulary });
    }
  }
}
