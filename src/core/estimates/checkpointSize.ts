/** How large a checkpoint of a model will be, as a sum of terms, from what its training config says and what its writer is known to save. */
import { countGroups, type TensorGroup } from '../configs/architectures/tensorGroup.js';
import { mixedPrecision, type MixedPrecision } from '../configs/checkpointWriters.js';
import type { OptimizerId, Precision, TrainingPlan } from '../configs/trainingPlan.js';
import { needsShapes, optimizerState, type StatePart } from './optimizerState.js';
import { planOf } from '../configs/plans/planOf.js';
import { precisionBytes } from '../configs/precision.js';
import type { TrainedTensors } from '../configs/trainedLayers.js';

export type SizeTermName = 'weights' | 'masterWeights' | StatePart | 'exportedWeights' | 'ema' | 'gradients';

/** One part of a checkpoint. */
export interface SizeTerm {
  name: SizeTermName;
  dtype: string;
  /** Null while the number of parameters is not known. */
  bytes: number | null;
  /** Exact where each parameter takes the same; a mean where it goes by shapes. */
  bytesPerParameter: number;
  source: TermSource;
}

/** Where a term comes from: a rule of the writer, the config itself, or an assumption. Worded in estimateWords.ts. */
export type TermSource =
  | 'precision-given'
  | 'precision-not-set'
  | 'mixed-precision-master'
  | 'mixed-precision-f32'
  | 'parameter-dtype-given'
  | 'model-dtype'
  | 'pure-16-bit'
  | 'optimizer-given'
  | 'optimizer-default'
  | 'optimizer-assumed'
  | 'optimizer-shapes'
  | 'optimizer-square'
  | 'moment-dtype-given'
  | 'moments-of-copy'
  | 'optimizer-own-dtype'
  | 'zero3-gathered'
  | 'trainer-export'
  | 'export-given'
  | 'average-given'
  | 'gradients-given'
  | 'frozen-apart'
  | 'frozen-fragments'
  | 'adapter-f32'
  | 'adapter-dtype'
  | 'adapter-deepspeed'
  | 'adapter-cast'
  | 'adapter-cast-given'
  | 'adapter-of-base'
  | 'adapter-whole'
  | 'adapter-megatron'
  | 'adapter-twice'
  | 'adapter-formats'
  | 'adapter-merged'
  | 'adapter-with-base'
  | 'master-remainder'
  | 'assumed-mixed-precision';

/** What is trained and saved. */
export interface SavedModel {
  /** Parameters of the whole model, once each. */
  unique: number | null;
  /** Its tensors; null where only their number is known. */
  groups: readonly TensorGroup[] | null;
  /** What an adapter adds; the base model is then not saved. Null where all is trained. */
  adapter: SavedAdapter | null;
  /** What of it is trained, and has state; null for all of it. */
  trained?: TrainedTensors | null;
}

/** An adapter's own tensors. */
export interface SavedAdapter {
  /** Null where its targets are not known. */
  parameters: number | null;
  /** Of them, those of modules that are trained whole. */
  whole?: number;
  /** Of these, those of embeddings. */
  embeddings?: number;
}

export interface CheckpointSize {
  bytes: number | null;
  bytesPerParameter: number;
  /** What `bytesPerParameter` divides by: an adapter's checkpoint has only its own parameters, unless the model that it is merged into is saved. */
  parameters: number | null;
  terms: SizeTerm[];
}

/** A checkpoint as this plan makes it. Never throws; bytes are null where the number of parameters is not known. */
export function checkpointSize(model: SavedModel, plan: TrainingPlan): CheckpointSize {
  const saved = model.adapter === null ? modelTerms(model, plan) : adapterTerms(model.adapter, model.unique, plan);
  const isWhole = model.adapter === null || (hasWholeModel(plan) && model.unique !== null);
  const parameters = isWhole ? model.unique : (model.adapter?.parameters ?? null);
  const terms = isWhole && model.adapter !== null ? saved.map((term) => eachOf(term, parameters)) : saved;
  const known = terms.map(({ bytes }) => bytes);
  return {
    bytes: sumOrNull(known),
    bytesPerParameter: terms.reduce((sum, term) => sum + term.bytesPerParameter, 0),
    parameters,
    terms,
  };
}

/** Bytes of an export of the weights in a dtype of its own (`exports`); null where there is none, or the number of parameters is not known. */
export function exportBytes(model: SavedModel, plan: TrainingPlan): number | null {
  return plan.exports === undefined ? null : weightBytes(model, { ...plan, lastSaveDtype: plan.exports.dtype });
}

/** Bytes of the weights alone, as a last save or an export of them holds them; null where the number of parameters is not known. */
export function weightBytes({ unique, adapter, trained = null }: SavedModel, plan: TrainingPlan): number | null {
  if (adapter !== null) {
    // The shards hold the base, an export does not.
    const weights = adapterTerms(
      adapter,
      unique,
      planOf({
        ...plan,
        savesBase: undefined,
        savesOptimizer: false,
        mergesAdapter: plan.mergesAtEnd ?? plan.mergesAdapter,
      }),
    );
    return sumOrNull(weights.map(({ bytes }) => bytes));
  }
  if (unique === null) return null;
  const dtype = plan.lastSaveDtype ?? storageOf(plan).weightDtype;
  return unique * precisionBytes[dtype] - frozenSavings({ unique, trained }, dtype, plan);
}

/** A term in bytes of each of so many parameters. */
function eachOf(term: SizeTerm, parameters: number | null): SizeTerm {
  if (term.bytes === null || parameters === null || parameters === 0) return term;
  return { ...term, bytesPerParameter: term.bytes / parameters };
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return Number.isSafeInteger(sum) ? sum : null;
}

/** Terms of a model that is saved whole. */
function modelTerms({ unique, groups, trained = null }: SavedModel, plan: TrainingPlan): SizeTerm[] {
  const part = trained ?? { groups, parameters: unique };
  const { weights, hasMaster, masterSource, moments } = storageOf(plan);
  const exported = exportedWeights(plan);
  // Where no weights are gathered, the Trainer saves the whole sharded state although only the model was asked for.
  const savesOptimizer = plan.savesOptimizer !== false || weights === null;
  const term = (name: SizeTermName, isThere: boolean, dtype: Precision = 'f32', source: TermSource = masterSource): SizeTerm[] =>
    isThere ? [uniform(name, dtype, unique, source)] : [];
  const savings = weights === null ? 0 : frozenSavings({ unique, trained }, weights.dtype, plan);
  const saved = [
    ...term('weights', weights !== null, weights?.dtype, weights?.source).map((whole) => withFrozen(whole, savings)),
    ...(savesOptimizer && hasMaster ? [masterTerm(part.parameters, plan, masterSource)] : []),
    ...(savesOptimizer ? stateTerms(part.groups, part.parameters, plan, moments) : []),
    ...term('exportedWeights', exported !== null, exported?.dtype, exported?.source),
    ...term('ema', plan.hasAverage === true, weights?.dtype, 'average-given'),
    ...term('gradients', plan.savesGradients === true, 'f32', 'gradients-given'),
    ...(isPartlyFrozen(plan) && savesOptimizer && unique !== null && trained !== null
      ? frozenFragments(unique - trained.parameters, plan)
      : []),
  ];
  return trained === null ? saved : saved.map((one) => eachOf(one, unique));
}

interface PartlyTrained {
  unique: number | null;
  trained: TrainedTensors | null;
}

/** What frozen weights take less than trained ones. */
function frozenSavings({ unique, trained }: PartlyTrained, dtype: Precision, plan: TrainingPlan): number {
  // An engine casts all weights alike.
  if (unique === null || trained === null || plan.frozenDtype === undefined || isSharded(plan)) return 0;
  return (unique - trained.parameters) * (precisionBytes[dtype] - precisionBytes[plan.frozenDtype]);
}

function isPartlyFrozen({ trainedLayers, frozenParts, trainingSteps }: TrainingPlan): boolean {
  return trainedLayers !== undefined || frozenParts !== undefined || trainingSteps !== undefined;
}

/**
 * Frozen weights by themselves, from stage 2 on: `frozen_param_fragments` (deepspeed/runtime/engine.py, _common_checkpoint_state). Below stage 3 they are among
 * all weights too.
 */
function frozenFragments(parameters: number, plan: TrainingPlan): SizeTerm[] {
  if ((plan.zeroStage ?? 0) < 2) return [];
  return [uniform('exportedWeights', storageOf(plan).weightDtype, parameters, 'frozen-fragments')];
}

function withFrozen(whole: SizeTerm, savings: number): SizeTerm {
  return savings === 0 || whole.bytes === null ? whole : { ...whole, bytes: whole.bytes - savings, source: 'frozen-apart' };
}

/** The 32-bit copy, or what 16-bit weights do not hold of it. */
function masterTerm(unique: number | null, { masterRemainderBytes }: TrainingPlan, source: TermSource): SizeTerm {
  if (masterRemainderBytes === undefined) return uniform('masterWeights', 'f32', unique, source);
  return {
    name: 'masterWeights',
    dtype: 'i16',
    bytes: unique === null ? null : unique * masterRemainderBytes,
    bytesPerParameter: masterRemainderBytes,
    source: 'master-remainder',
  };
}

/** The base model's weights are not saved again, unless they have the adapter merged into them. */
function adapterTerms(adapter: SavedAdapter, unique: number | null, plan: TrainingPlan): SizeTerm[] {
  const { parameters } = adapter;
  const { dtype, source } = adapterStorage(plan);
  const isInEngine = (isSharded(plan) || isMegatronWith16Bits(plan)) && dtype !== 'f32';
  const parts = isInEngine ? [{ ...adapter, dtype, source }] : adapterParts(adapter, plan);
  const ofAll = (term: SizeTerm): SizeTerm => (parts.length === 1 ? term : eachOf(term, parameters));
  const state = parts.flatMap((part) => {
    const moment = isInEngine ? 'f32' : (plan.optimizerDtype ?? part.dtype);
    return plan.savesOptimizer === false ? [] : stateTerms(adapterGroups(part, plan), part.parameters, plan, [moment, moment]);
  });
  const engine = isInEngine && plan.savesOptimizer !== false ? [uniform('masterWeights', 'f32', parameters, source)] : [];
  // Where the engine alone saves, its files are the only ones. Below stage 3 they hold the adapter besides that of the Trainer.
  const isAlone = plan.writer === 'deepspeed' && engine.length > 0;
  const isTwice = engine.length > 0 && isSharded(plan) && plan.zeroStage !== 3 && !isAlone;
  return [
    ...(isAlone && plan.zeroStage === 3
      ? []
      : parts.map((part) => ofAll(uniform('weights', part.dtype, part.parameters, part.source)))),
    ...engine,
    ...state.map(ofAll),
    ...(isTwice ? [uniform('exportedWeights', dtype, parameters, 'adapter-twice')] : []),
    ...(plan.savesAdapterTwice === true
      ? parts.map((part) => ofAll(uniform('exportedWeights', part.dtype, part.parameters, 'adapter-formats')))
      : []),
    ...(hasWholeModel(plan) ? [wholeTerm(unique, parameters, plan)] : []),
    // Under stage 3 this is all that there is of the base.
    ...(plan.savesBase === true && plan.zeroStage === 2 ? [wholeTerm(unique, parameters, plan, 'frozen-fragments')] : []),
  ];
}

interface AdapterPart extends SavedAdapter {
  dtype: Precision;
  source: TermSource;
}

/**
 * Its own matrices, and what is trained whole where that is kept in another dtype: a copy of a module of the base has the base's dtype, as PEFT casts the
 * parameters of adapter layers alone (peft/tuners/tuners_utils.py, cast_adapter_dtype; utils/other.py, ModulesToSaveWrapper).
 */
function adapterParts(adapter: SavedAdapter, plan: TrainingPlan): AdapterPart[] {
  const { dtype, source } = adapterStorage(plan);
  const { parameters, whole = 0, embeddings = 0 } = adapter;
  const { weightDtype } = storageOf(plan);
  const isAlike = source !== 'adapter-f32' && source !== 'adapter-cast-given';
  if (parameters === null || whole === 0 || isAlike || weightDtype === dtype) return [{ ...adapter, dtype, source }];
  const copies: AdapterPart = { parameters: whole, embeddings, dtype: weightDtype, source: 'adapter-whole' };
  return [{ parameters: parameters - whole, dtype, source }, copies];
}

/** Its embeddings, of which the state is another one, and all else as one tensor; null where all is alike. */
function adapterGroups(
  { parameters, embeddings = 0 }: SavedAdapter,
  { hasWideEmbeddingState }: TrainingPlan,
): readonly TensorGroup[] | null {
  if (parameters === null || embeddings === 0 || hasWideEmbeddingState !== true) return null;
  const whole = (name: string, kind: TensorGroup['kind'], size: number): TensorGroup => {
    return { name, shape: [size], copies: 1, activeCopies: 1, kind };
  };
  return [whole('embedding', 'embedding', embeddings), whole('', 'linear', parameters - embeddings)];
}

/**
 * PEFT trains and saves adapters in 32 bits (`autocast_adapter_dtype`), DeepSpeed's engine casts them to 16; programs that train in one dtype throughout keep
 * them in it.
 */
function adapterStorage(plan: TrainingPlan): { dtype: Precision; source: TermSource } {
  if (isSharded(plan) && plan.precision !== undefined && plan.precision !== 'f32')
    return { dtype: sixteenBits(plan.precision), source: 'adapter-deepspeed' };
  if (isMegatronWith16Bits(plan)) return { dtype: sixteenBits(plan.precision ?? 'bf16'), source: 'adapter-megatron' };
  if (plan.adapterCast?.dtype === 'of-base') return { dtype: storageOf(plan).weightDtype, source: 'adapter-of-base' };
  if (plan.adapterCast !== undefined)
    return { dtype: plan.adapterCast.dtype, source: plan.adapterCast.by === 'program' ? 'adapter-cast' : 'adapter-cast-given' };
  const isOwn = plan.writer === 'torchtune' || plan.writer === 'litgpt';
  return isOwn ? { dtype: plan.parameterDtype ?? 'f32', source: 'adapter-dtype' } : { dtype: 'f32', source: 'adapter-f32' };
}

/** Megatron's optimizer keeps a 32-bit copy of an adapter, too, as it is in the dtype of the model (megatron/core/optimizer). */
function isMegatronWith16Bits({ writer, hasMasterWeights, precision }: TrainingPlan): boolean {
  return (writer === 'megatron' || writer === 'nemo') && hasMasterWeights === true && precision !== 'f32';
}

/** Beside the adapter: merged with it, or as it was. */
function hasWholeModel({ mergesAdapter, savesBase }: TrainingPlan): boolean {
  return mergesAdapter === true || savesBase === true;
}

/** The whole model; bytes a parameter are of the adapter's, as those of the other terms. */
function wholeTerm(
  unique: number | null,
  parameters: number | null,
  plan: TrainingPlan,
  source: TermSource = plan.savesBase === true ? 'adapter-with-base' : 'adapter-merged',
): SizeTerm {
  const { weightDtype: dtype } = storageOf(plan);
  const bytes = unique === null ? null : unique * precisionBytes[dtype];
  const bytesPerParameter = bytes === null || parameters === null || parameters === 0 ? 0 : bytes / parameters;
  return { name: 'exportedWeights', dtype, bytes, bytesPerParameter, source };
}

interface Storage {
  /** Null where no file holds the weights by themselves: ZeRO-3 without gathering. */
  weights: { dtype: Precision; source: TermSource } | null;
  /** In which the weights are trained, whichever file holds them. */
  weightDtype: Precision;
  hasMaster: boolean;
  masterSource: TermSource;
  moments: [Precision, Precision];
}

/** In what a plan's weights and moments are saved. */
function storageOf(plan: TrainingPlan): Storage {
  const precision = plan.precision ?? (plan.writer === undefined ? 'bf16' : undefined);
  const isMixed = precision !== undefined && precision !== 'f32';
  const how = mixedHow(plan);
  const source = mixedSource(plan, how, isMixed);
  // DeepSpeed's engine casts the weights, whatever the program around it keeps them in.
  const given = isSharded(plan) && isMixed ? undefined : plan.parameterDtype;
  const dtype = given ?? (isMixed && how !== 'f32' ? sixteenBits(precision) : 'f32');
  const hasMaster = plan.hasMasterWeights ?? (how === 'master' && (dtype !== 'f32' || isSharded(plan)));
  const moment = hasMaster || dtype === 'f32' ? 'f32' : (plan.optimizerDtype ?? dtype);
  return {
    weights: weightsOf(plan, dtype, source),
    weightDtype: dtype,
    hasMaster,
    masterSource: source,
    moments: [plan.momentDtypes?.first ?? moment, plan.momentDtypes?.second ?? moment],
  };
}

function mixedHow({ writer, zeroStage, parameterDtype }: TrainingPlan): MixedPrecision {
  // DeepSpeed's engine keeps the copy whoever drives it.
  if ((zeroStage ?? 0) > 0) return 'master';
  if (parameterDtype !== undefined && parameterDtype !== 'f32') return writer === undefined ? 'pure' : mixedPrecision[writer];
  return writer === undefined ? 'master' : mixedPrecision[writer];
}

function mixedSource(plan: TrainingPlan, how: MixedPrecision, isMixed: boolean): TermSource {
  if (plan.writer === undefined && plan.precision === undefined) return 'assumed-mixed-precision';
  if (plan.loadedDtype !== undefined && plan.parameterDtype === 'f32') return 'model-dtype';
  // Whether the config gives them or the writer casts to them: these are what it keeps beside 16-bit passes.
  if (plan.parameterDtype === 'f32' && isMixed && (how === 'f32' || plan.hasMasterWeights === false))
    return 'mixed-precision-f32';
  if (plan.parameterDtype !== undefined && !(isSharded(plan) && isMixed))
    return plan.loadedDtype === undefined ? 'parameter-dtype-given' : 'model-dtype';
  if (!isMixed) return plan.precision === undefined ? 'precision-not-set' : 'precision-given';
  return how === 'master' ? 'mixed-precision-master' : how === 'f32' ? 'mixed-precision-f32' : 'pure-16-bit';
}

/** FP8 is what matrix products are done in; weights stay in 16 bits beside it. */
function sixteenBits(precision: Precision): Precision {
  return precision === 'f8' ? 'bf16' : precision;
}

function isSharded({ zeroStage }: TrainingPlan): boolean {
  // ZeRO keeps its own 32-bit partition even of 32-bit weights.
  return (zeroStage ?? 0) > 0;
}

function weightsOf(plan: TrainingPlan, dtype: Precision, source: TermSource): Storage['weights'] {
  // MLPerf Storage writes weights of a size that its stage has no part in (DLIO, checkpointing/base_checkpointing.py).
  if (plan.zeroStage !== 3 || plan.writer === 'mlperf-storage') return { dtype, source };
  return plan.gathersWeights === true ? { dtype, source: 'zero3-gathered' } : null;
}

/** A second copy of the weights: Hugging Face's Trainer saves one beside DeepSpeed's own files. */
function exportedWeights(plan: TrainingPlan): { dtype: Precision; source: TermSource } | null {
  if (plan.exportedWeights !== undefined) return { dtype: plan.exportedWeights, source: 'export-given' };
  const isBesideDeepSpeed =
    plan.writer === 'huggingface-trainer' && (plan.zeroStage === 1 || plan.zeroStage === 2) && plan.savesOptimizer !== false;
  if (!isBesideDeepSpeed) return null;
  const dtype = plan.precision === undefined || plan.precision === 'f32' ? 'f32' : sixteenBits(plan.precision);
  return { dtype, source: 'trainer-export' };
}

function stateTerms(
  groups: readonly TensorGroup[] | null,
  parameters: number | null,
  plan: TrainingPlan,
  moments: [Precision, Precision],
): SizeTerm[] {
  const optimizer: OptimizerId = plan.optimizer ?? 'adam';
  const { hasMomentum, projectionRank, hasWideEmbeddingState } = plan;
  const options = { moments, hasMomentum, projectionRank, hasWideEmbeddingState };
  const source = stateSource(optimizer, groups, plan);
  const tensors = groups ?? [sampleOf(optimizer, parameters)];
  const count = countGroups(tensors)?.unique ?? 0;
  return optimizerState(optimizer, tensors, options).map(({ part, bytes, dtype }) => {
    const bytesPerParameter = count === 0 ? 0 : bytes / count;
    const isWhole = count === parameters;
    return {
      name: part,
      dtype,
      bytes: parameters === null ? null : isWhole ? bytes : Math.round(bytesPerParameter * parameters),
      bytesPerParameter,
      source,
    };
  });
}

function stateSource(optimizer: OptimizerId, groups: readonly TensorGroup[] | null, plan: TrainingPlan): TermSource {
  if (plan.optimizer === undefined || plan.optimizer === 'unknown') return 'optimizer-assumed';
  if (needsShapes(optimizer)) return groups === null ? 'optimizer-square' : 'optimizer-shapes';
  if (plan.stateLayers !== undefined) return 'moments-of-copy';
  if (plan.momentDtypes !== undefined) return 'moment-dtype-given';
  if (plan.optimizerDtype !== undefined) return 'optimizer-own-dtype';
  return plan.notes?.includes('default-optimizer') === true ? 'optimizer-default' : 'optimizer-given';
}

/** Where shapes are not known: all parameters as one tensor, which is exact for optimizers that treat all alike; else a usual matrix. */
function sampleOf(optimizer: OptimizerId, parameters: number | null): TensorGroup {
  const shape = needsShapes(optimizer) ? [4096, 4096] : [parameters ?? 2 ** 24];
  return { name: '', shape, copies: 1, activeCopies: 1, kind: 'linear' };
}

function uniform(name: SizeTermName, dtype: Precision, parameters: number | null, source: TermSource): SizeTerm {
  const bytesPerParameter = precisionBytes[dtype];
  return { name, dtype, bytes: parameters === null ? null : parameters * bytesPerParameter, bytesPerParameter, source };
}
