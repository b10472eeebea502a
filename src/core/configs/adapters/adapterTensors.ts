/**
 * Parameters of a low-rank adapter, as PEFT adds them to a model (peft/tuners/lora/layer.py, peft/tuners/tuners_utils.py): two matrices beside
 * the weight of each targeted module, of rank x inputs and outputs x rank; DoRA one number more for each output.
 */
import type { AdapterPlan } from '../trainingPlan.js';
import { type ExpertNames, hasPlainExperts, hasPlainRouter, modulesOfTask, stackedExpertNames } from './adapterTargets.js';
import { isExpert, isModuleWeight, layerCounts, moduleOf, nameAt, numbersIn, stackOf } from '../architectures/moduleNames.js';
import { partOf } from '../architectures/modelParts.js';
import { containersOf, ModuleTargets, type Target } from './moduleTargets.js';
import { orthogonalParameters } from './orthogonalAdapter.js';
import { parseNamePattern } from '../architectures/namePattern.js';
import { elementsOf, type TensorGroup } from '../architectures/tensorGroup.js';

/** What an adapter comes to. */
export interface AdapterCount {
  /** Null where a target is not resolved, or nothing is targeted at all. */
  trainable: number | null;
  modules: readonly AdaptedModule[];
  /** Targets that no module of the model has; PEFT leaves them alone. */
  unmatched: readonly string[];
  /** Targets that may mean modules, which is not known. */
  unresolved: readonly string[];
}

/** Modules of one name pattern that are adapted, or trained whole. */
export interface AdaptedModule {
  name: string;
  parameters: number;
  isWhole: boolean;
  /** A whole embedding, of which some optimizers keep other state than of the rest. */
  isEmbedding?: true;
}

/** Null for adapters other than LoRA, DoRA and OFT. */
export function adapterParameters(
  tensors: readonly TensorGroup[],
  adapter: AdapterPlan,
  modelType?: string,
): AdapterCount | null {
  if (adapter.kind === 'other') return null;
  const isOnMegatron = adapter.isFused !== undefined;
  // Megatron's experts share adapters, or have them each, by settings of the program and the job.
  const isKnownThere = adapter.isOfEachExpert === true && hasPlainExperts(modelType);
  if (isOnMegatron && !isKnownThere && reachesExperts(adapter) && tensors.some(isExpert)) return null;
  const job = planJob(tensors, adapter, isOnMegatron ? undefined : stackedExpertNames(modelType), hasPlainRouter(modelType));
  const modules = tensors.flatMap((group) => [
    ...wholeModule(job, group),
    ...trainedTokens(job, group),
    ...adaptedModule(job, group),
    ...biasOf(job, group),
  ]);
  const trainable = modules.reduce((sum, module) => sum + module.parameters, 0);
  const ranks = [adapter.rank, ...Object.values(adapter.rankPattern ?? {})];
  const unmatched = job.targets.filter(({ uses }) => uses === 0).map(({ text }) => text);
  const isKnown =
    ranks.every((rank) => Number.isSafeInteger(rank) && (rank > 0 || adapter.kind === 'oft')) &&
    job.unresolved.size === 0 &&
    modules.some(({ isWhole }) => !isWhole) &&
    Number.isSafeInteger(trainable);
  return { trainable: isKnown ? trainable : null, modules, unmatched, unresolved: [...job.unresolved] };
}

function reachesExperts({ targets }: AdapterPlan): boolean {
  return targets.some((target) => !/^(?:[qkvo]_proj|lm_head|embed_tokens)$/.test(target));
}

/** An adapter on its way through the tensors of a model. */
export interface AdapterJob {
  adapter: AdapterPlan;
  targets: readonly Target[];
  /** Texts of the targets: one may be the whole name of a module. */
  names: ReadonlySet<string>;
  /** Those that mean modules as they are now. */
  moduleTargets: ModuleTargets;
  parameterTargets: ModuleTargets;
  excluded: ModuleTargets;
  whole: ModuleTargets;
  /** Whether a text may mean some layers of a stack and not the others. */
  hasIndex: boolean;
  ranks: readonly { target: Target; rank: number }[];
  experts: ExpertNames | undefined;
  layers: ReadonlyMap<string, number>;
  /** Whose rows a list of tokens means. */
  inputEmbedding: TensorGroup | undefined;
  /** Weights by the names of their modules. */
  weights: ReadonlyMap<string, TensorGroup>;
  /** Modules that choose experts, where they are not among those of PEFT. */
  routers: ReadonlySet<string>;
  unresolved: Set<string>;
}

const allLinear = 'all-linear';
/** Of a router, which is a module of its own kind since transformers 5. */
export const router = 'gate';
/** Layers that are looked at one by one. */
export const maximumLayers = 2000;

export function planJob(
  tensors: readonly TensorGroup[],
  adapter: AdapterPlan,
  experts: ExpertNames | undefined,
  isRouterPlain: boolean,
): AdapterJob {
  const unresolved = new Set<string>();
  const targetsOf = (texts: readonly string[], make: (text: string) => Target | null): Target[] =>
    texts.flatMap((text) => {
      const target = make(text);
      if (target === null) unresolved.add(text);
      return target ?? [];
    });
  const saved = [...(adapter.savedModules ?? []), ...modulesOfTask(adapter.task)];
  let patternsLeft = MOST_PATTERNS;
  const pattern = (text: string): Target | null => (patternsLeft-- > 0 ? patternTarget(text) : null);
  const named = targetsOf(adapter.targets, (text) => targetOf(text, adapter, pattern));
  const targets = experts === undefined ? named : named.map((target) => lastNamesOf(target, tensors));
  const parameterTargets = new ModuleTargets(targetsOf(adapter.targetParameters ?? [], suffixTarget));
  const excluded = new ModuleTargets(
    targetsOf(adapter.excludedModules ?? [], (text) => (isPlain(text) ? suffixTarget(text) : pattern(text))),
  );
  const whole = new ModuleTargets(saved.map(wholeTarget));
  const ranks = Object.entries(adapter.rankPattern ?? {}).flatMap(([text, rank]) =>
    targetsOf([text], rankTarget).map((target) => ({ target, rank })),
  );
  return {
    adapter,
    targets,
    names: new Set(targets.map(({ text }) => text)),
    moduleTargets: new ModuleTargets(targets.filter(({ text }) => !isOldExpertName(experts, text))),
    ...{ parameterTargets, excluded, whole, ranks },
    hasIndex:
      [parameterTargets, excluded, whole].some(({ hasIndex }) => hasIndex) ||
      [...targets, ...ranks.map(({ target }) => target)].some(({ hasIndex }) => hasIndex),
    experts,
    layers: layerCounts(tensors),
    inputEmbedding: tensors.find(({ kind }) => kind === 'embedding'),
    weights: new Map(tensors.filter(isModuleWeight).map((group) => [moduleOf(group), group])),
    routers: isRouterPlain ? new Set() : routersOf(tensors),
    unresolved,
  };
}

/** Modules that end so are trained whole, with all that lies below them. */
function wholeTarget(text: string): Target {
  const matches: Target['matches'] = (module) => [module, ...containersOf(module)].some((name) => name.endsWith(text));
  return { text, matches, end: 'anywhere', hasIndex: /\d/.test(text), uses: 0 };
}

/** `mlp.gate` and `mlp.router` beside `mlp.experts` are modules of their own kind since transformers 5. */
function routersOf(tensors: readonly TensorGroup[]): ReadonlySet<string> {
  const blocks = new Set(tensors.filter(isExpert).map(({ name }) => name.slice(0, name.indexOf('.experts.'))));
  return new Set([...blocks].flatMap((block) => [`${block}.gate`, `${block}.router`]));
}

/** Patterns are tried on each name, which texts are not; PEFT takes one in place of names. */
const MOST_PATTERNS = 100;

/** A plain text is the end of a name; anything else can only be a pattern of whole names. */
function targetOf(text: string, adapter: AdapterPlan, pattern: (text: string) => Target | null): Target | null {
  if (text.toLowerCase() === allLinear)
    return { text, matches: (_, group) => isLinear(group, adapter), hasIndex: false, uses: 0 };
  return isPlain(text) ? suffixTarget(text) : pattern(text);
}

/** Where old names of experts are looked for, PEFT takes of a pattern only the last parts of the names that it matches. */
function lastNamesOf(target: Target, tensors: readonly TensorGroup[]): Target {
  if (isPlain(target.text) && target.text.toLowerCase() !== allLinear) return target;
  const layers = layerCounts(tensors);
  const ends = new Set<string>();
  for (const group of tensors) {
    const module = moduleOf(group);
    const count = target.hasIndex ? Math.min(layers.get(stackOf(group.name) ?? '') ?? 1, maximumLayers) : 1;
    const isMatched = Array.from({ length: count }, (_, layer) => nameAt(module, layer)).some((name) =>
      target.matches(name, group),
    );
    if (isMatched) ends.add(lastOf(module));
  }
  const matches: Target['matches'] = (module, group) =>
    group === noGroup ? target.matches(module, group) : ends.has(lastOf(module));
  return { ...target, matches, hasIndex: false };
}

function lastOf(module: string): string {
  return module.slice(module.lastIndexOf('.') + 1);
}

function isPlain(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}

function suffixTarget(text: string): Target {
  const end = `.${text}`;
  return {
    text,
    matches: (module) => `.${module}`.endsWith(end),
    end: 'module',
    hasIndex: /(^|\.)\d+(\.|$)/.test(text),
    uses: 0,
  };
}

function patternTarget(text: string): Target | null {
  const matches = parseNamePattern(text);
  // Digits of `\d`, `[0-9]` and `{1,2}` tell layers apart as those of a name do: cheaper to look twice than to be wrong.
  return matches === null ? null : { text, matches, hasIndex: /\d|\[/.test(text.replaceAll('\\d', '')), uses: 0 };
}

/** Keys of rank_pattern are patterns of whole names or of their ends (peft/utils/other.py, get_pattern_key). */
function rankTarget(text: string): Target | null {
  const target = patternTarget(`(.*\\.)?(${text})`);
  return target === null ? null : { ...target, text };
}

/** Linear layers but the output layer; the classifier is none where the task says that there is one. */
function isLinear(group: TensorGroup, { task, sparedHeads }: AdapterPlan): boolean {
  if (group.kind !== 'head') return group.kind === 'linear';
  const name = moduleOf(group);
  if (sparedHeads !== undefined) return !sparedHeads.includes(lastOf(name));
  return !isOutputLayer(name) && !(task === 'SEQ_CLS' && ['classifier', 'score', 'classification_head'].includes(name));
}

function isOutputLayer(name: string): boolean {
  return !/(^|\.)(classifier|score|qa_outputs|classification_head|pre_classifier|summary|cls_classifier)$/.test(name);
}

/** All parameters of modules that are trained and saved as copies. */
function wholeModule(job: AdapterJob, group: TensorGroup): AdaptedModule[] {
  const copies = copiesThat(job, group, (module) => job.whole.has(module, group));
  if (copies === 0) return [];
  const module = { name: group.name, parameters: elementsOf(group.shape) * copies, isWhole: true };
  return group.kind === 'embedding' ? [{ ...module, isEmbedding: true }] : [module];
}

/** Rows of an embedding, which are an adapter layer's own (peft/tuners/trainable_tokens/layer.py); a tied output layer has those of the embedding. */
function trainedTokens({ adapter, inputEmbedding }: AdapterJob, group: TensorGroup): AdaptedModule[] {
  if (adapter.trainedTokens === undefined || (group.kind !== 'embedding' && group.kind !== 'head') || group.isTied === true)
    return [];
  const name = moduleOf(group);
  const isMeant = (module: string): boolean =>
    module === '' ? group === inputEmbedding : name === module || name.endsWith(`.${module}`);
  const rows = Object.entries(adapter.trainedTokens).reduce((sum, [module, count]) => sum + (isMeant(module) ? count : 0), 0);
  return rows === 0 ? [] : [{ name: `${name} (${rows} rows)`, parameters: rows * (group.shape[1] ?? 0), isWhole: false }];
}

function adaptedModule(job: AdapterJob, group: TensorGroup): AdaptedModule[] {
  if (isInFrozenPart(job, group)) return [];
  const stacked = stackedExpert(job, group);
  if (stacked.length > 0) return stacked;
  const isModule = isModuleWeight(group) && (!isExpert(group) || job.adapter.isFused !== undefined);
  if (!isModule) return targetedParameter(job, group);
  const parameters = sumOver(job, group, (module) => adaptedAt(job, module, group), { chosen: job.adapter.layers });
  return parameters === 0 ? [] : [{ name: moduleOf(group), parameters, isWhole: false }];
}

export function isInFrozenPart({ adapter }: AdapterJob, group: TensorGroup): boolean {
  return adapter.frozenParts?.includes(partOf(group)) === true;
}

function adaptedAt(job: AdapterJob, module: string, group: TensorGroup): number {
  const target = targetFor(job, module, group);
  if (target === undefined) return 0;
  const isRouter = job.routers.has(moduleOf(group));
  if (isRouter && target.text.toLowerCase() === allLinear) return 0;
  target.uses++;
  const isGrouped = group.kind === 'convolution' && !/\.patch_embed/.test(module);
  const isAdapted = !isRouter && !isGrouped && group.kind !== 'norm';
  const parameters = isAdapted ? adapterOf(group, module, rankOf(job, module, group), job.adapter) : null;
  if (parameters !== null) return parameters;
  // PEFT refuses norms and routers; what it adds to a convolution hangs on its groups.
  job.unresolved.add(target.text);
  return 0;
}

/** The target that a module is adapted for, if it is. PEFT refuses a target that holds other modules. */
export function targetFor(job: AdapterJob, module: string, group: TensorGroup): Target | undefined {
  if (job.excluded.has(module, group) || job.whole.has(module, group)) return undefined;
  // A name that stands for stacked experts stands for nothing else.
  if (isOldExpertName(job.experts, module)) return undefined;
  for (const container of containersOf(module))
    for (const { target } of job.moduleTargets.matching(container, group))
      if (target.text.toLowerCase() !== allLinear) job.unresolved.add(target.text);
  return job.moduleTargets.first(module, group);
}

/** Null where the config does not decide it. */
function adapterOf({ shape, kind: tensor }: TensorGroup, module: string, rank: number, adapter: AdapterPlan): number | null {
  const { kind, hasAdapterBias, hasSingularValues, isFused } = adapter;
  // The first matrix of a convolution has its kernel.
  const [rows = 0, columns = 0] = tensor === 'convolution' ? [shape[0], elementsOf(shape.slice(1))] : shape;
  const [outputs, inputs] = tensor === 'embedding' ? [columns, rows] : [rows, columns];
  // OFT turns what an embedding gives, not the tokens that it is given.
  if (kind === 'oft') return orthogonalParameters(tensor === 'embedding' ? outputs : inputs, { ...adapter, rank });
  const vectors = (kind === 'dora' ? 1 : 0) + (hasAdapterBias === true ? 1 : 0);
  // The first matrix is that of the module with which it is fused.
  const first = isFused === true && fusedNames.has(lastOf(module)) ? 0 : inputs;
  return rank * (first + outputs + (hasSingularValues === true ? 1 : 0)) + vectors * outputs;
}

/** Modules whose weights Megatron has behind those of another module: key and value behind query, up behind gate. */
const fusedNames: ReadonlySet<string> = new Set(['k_proj', 'v_proj', 'up_proj']);

export function rankOf(job: AdapterJob, module: string, group: TensorGroup): number {
  return job.ranks.find(({ target }) => target.matches(module, group))?.rank ?? job.adapter.rank;
}

/** A parameter that is named itself: three dimensions are experts, stacked. */
function targetedParameter(job: AdapterJob, group: TensorGroup): AdaptedModule[] {
  if (group.kind === 'bias') return [];
  const name = isExpert(group) ? stackedName(group) : group.name;
  const adapted = (concrete: string): number => {
    const target = job.parameterTargets.first(concrete, group);
    if (target === undefined) return 0;
    target.uses++;
    return stackedSize(job, group, name, job.adapter.rank);
  };
  const parameters = sumOver(job, group, adapted, { name });
  return parameters === 0 ? [] : [{ name, parameters, isWhole: false }];
}

/** `mlp.experts.gate_up_proj` of `mlp.experts.N.gate_proj.weight`, as transformers 5 stacks them. */
function stackedName({ name }: TensorGroup): string {
  const [before = '', after] = name.split('.experts.N.');
  if (after === undefined) return name;
  return `${before}.experts.${/^(gate|up)_proj/.test(after) ? 'gate_up_proj' : 'down_proj'}`;
}

/** Where old names of experts still count: the matrix that gates and the one beside it are one of twice the outputs, with twice the rank. */
function stackedExpert(job: AdapterJob, group: TensorGroup): AdaptedModule[] {
  const { experts } = job;
  const module = moduleOf(group);
  if (experts === undefined || group.kind === 'bias' || !(isExpert(group) || job.routers.has(module))) return [];
  if (!isExpert(group) && !isModuleWeight(group)) return [];
  const isTargeted = (old: string): boolean => {
    const meant = job.targets.filter((target) => meansOldName(target, old, nameAt(module, 0)));
    for (const target of meant) target.uses++;
    return meant.length > 0;
  };
  const name = stackedName(group);
  if (!isExpert(group)) return isTargeted(router) ? stackedAdapter(job, group, name, job.adapter.rank) : [];
  if (name.endsWith('down_proj')) return isTargeted(experts.down) ? stackedAdapter(job, group, name, job.adapter.rank) : [];
  const targeted = experts.gateAndUp.filter(isTargeted);
  // PEFT refuses to adapt one of two matrices that are stored as one.
  if (targeted.length === 1) for (const old of targeted) job.unresolved.add(old);
  return targeted.length === 2 ? stackedAdapter(job, group, name, 2 * job.adapter.rank) : [];
}

/** Whether a target takes a module by the name that it had before experts were stacked. */
export function isTargetedByOldName(job: AdapterJob, group: TensorGroup, old: string): boolean {
  return job.targets.some((target) => meansOldName(target, old, nameAt(moduleOf(group), 0)));
}

/** Patterns are tried on the name that the module had: `mlp.experts.gate_proj` of any expert, `mlp.gate`. */
function meansOldName({ text, matches }: Target, old: string, module: string): boolean {
  if (text.toLowerCase() === allLinear) return true;
  if (isPlain(text)) return text === old || text.endsWith(`.${old}`);
  const end = module.includes('.experts.') ? module.indexOf('.experts.') : module.lastIndexOf('.');
  return matches(`${module.slice(0, end)}.experts.${old}`, noGroup) || (old === router && matches(module, noGroup));
}

/** Where a name alone decides. */
export const noGroup: TensorGroup = { name: '', shape: [], copies: 0, activeCopies: 0, kind: 'other' };

function stackedAdapter(job: AdapterJob, group: TensorGroup, name: string, usualRank: number): AdaptedModule[] {
  return [{ name, parameters: stackedSize(job, group, name, usualRank) * group.copies, isWhole: false }];
}

/** Of one tensor of the group. */
function stackedSize(job: AdapterJob, { shape, name: pattern }: TensorGroup, name: string, usualRank: number): number {
  if (job.adapter.kind !== 'lora' || job.adapter.hasAdapterBias === true || job.adapter.hasSingularValues === true)
    job.unresolved.add(name);
  const rank = job.ranks.find(({ target }) => target.matches(name, noGroup))?.rank ?? usualRank;
  const experts = shape.length === 3 ? (shape[0] ?? 0) : 1;
  const [outputs = 0, inputs = 0] = shape.slice(-2);
  // The two halves of `gate_up_proj` share the first matrix and have their own parts of the second: each half counts half of both.
  const isHalf = name.endsWith('gate_up_proj') && pattern.includes('.experts.N.');
  return (isHalf ? (rank * (inputs + 2 * outputs)) / 2 : rank * (inputs + outputs)) * experts;
}

/** Whether a target is taken for experts, and no longer for any module. */
function isOldExpertName(experts: ExpertNames | undefined, text: string): boolean {
  if (experts === undefined) return false;
  return [...experts.gateAndUp, experts.down, router].some((old) => text === old || text.endsWith(`.${old}`));
}

/** Biases of the model that are trained with the adapter. */
function biasOf(job: AdapterJob, group: TensorGroup): AdaptedModule[] {
  const { bias = 'none', layers } = job.adapter;
  if (!group.name.endsWith('.bias') || bias === 'none') return [];
  if (bias !== 'all' && isInFrozenPart(job, group)) return [];
  const weight = job.weights.get(moduleOf(group));
  const copies =
    bias === 'all'
      ? copiesThat(job, group, (module) => !job.whole.has(module, group))
      : copiesThat(job, group, (module) => weight !== undefined && targetFor(job, module, weight) !== undefined, layers);
  return copies === 0 ? [] : [{ name: group.name, parameters: elementsOf(group.shape) * copies, isWhole: true }];
}

function copiesThat(
  job: AdapterJob,
  group: TensorGroup,
  isMeant: (module: string) => boolean,
  chosen?: readonly number[],
): number {
  return sumOver(job, group, (module) => (isMeant(module) ? 1 : 0), { chosen });
}

/** Sums over the copies of a group; one by one where targets or chosen layers tell them apart, and at once otherwise. */
function sumOver(
  job: AdapterJob,
  group: TensorGroup,
  parametersOf: (name: string) => number,
  { chosen, name = moduleOf(group) }: { chosen?: readonly number[] | undefined; name?: string } = {},
): number {
  const stack = stackOf(name);
  if (chosen === undefined && (stack === null || !job.hasIndex)) return parametersOf(nameAt(name, 0)) * group.copies;
  // Layers do not matter for a target that is a whole name.
  const isExact = (concrete: string): boolean => job.names.has(concrete);
  if (stack === null) return isExact(name) ? parametersOf(name) * group.copies : 0;
  const layers = job.layers.get(stack) ?? 0;
  if (layers > maximumLayers) return parametersOf(nameAt(name, 0)) === 0 ? 0 : unknownLayers(job, name);
  const isChosen = (layer: number): boolean => chosen === undefined || chosen.includes(layer) || isExact(nameAt(name, layer));
  const values = Array.from({ length: layers }, (_, layer) => (isChosen(layer) ? valueAt(job, name, layer, parametersOf) : 0));
  const isEverywhere = group.copies % layers === 0;
  // A tensor of some layers only: which ones is unknown, so the answer must not depend on it.
  if (!isEverywhere && values.some((value) => value !== values[0])) return unknownLayers(job, name);
  if (!isEverywhere) return (values[0] ?? 0) * group.copies;
  return values.reduce((sum, value) => sum + value * (group.copies / layers), 0);
}

/** Numbers after the layer's are those of parts of a layer, of which each has its own name (T5's `layer.0`). */
function valueAt(job: AdapterJob, module: string, layer: number, parametersOf: (module: string) => number): number {
  if (numbersIn(module) < 2 || !job.hasIndex) return parametersOf(nameAt(module, layer));
  for (const inner of [0, 1, 2]) {
    const value = parametersOf(nameAt(module, layer, inner));
    if (value > 0) return value;
  }
  return 0;
}

function unknownLayers(job: AdapterJob, module: string): number {
  job.unresolved.add(module);
  return 0;
}
