/** Bytes that loading takes on one rank: the weights alone for serving, and what training keeps of each parameter for resuming as it was saved. */
import type { LoadMemory } from '../checkpoints/loadReport.js';
import { modelSizesIn } from '../checkpoints/modelSizes.js';
import { isModelDirectory, ownWeights } from '../checkpoints/ownWeights.js';
import { optimizedElements } from '../checkpoints/optimizerMatch.js';
import type { Parts } from '../checkpoints/parts.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { weightShards } from '../checkpoints/weightShards.js';
import { modelDtype } from '../configs/storage/modelDtype.js';
import { Fields } from '../configs/fields.js';
import { baseName } from '../files/paths.js';
import { severityOf } from '../findings/severityOf.js';
import { memberOf } from '../formats/text/jsonMember.js';
import type { LoadedAdapter } from './loadedAdapter.js';
import { bytesOfElements } from '../tensors/dtype.js';
import { fullBytes } from './conversions/directoryBytes.js';
import { sharedBytes } from './sharedBytes.js';
import { counted } from '../text/quantities.js';

/**
 * Empty where files are missing or damaged, where the model is elsewhere and its config was not found, and where there are no weights.
 * @param adapters of the checkpoint, with their base models
 */
export function loadMemory({ parts, side }: ReadResult, adapters: readonly LoadedAdapter[] = []): LoadMemory[] {
  if (parts.findings.some((finding) => severityOf(finding) === 'error')) return [];
  if (parts.files.some(({ role, path }) => role === 'adapter-weights' && !path.includes('/')))
    return adapters.filter(({ directory }) => directory === '').flatMap(servingAdapter);
  const config = side.json.get('config.json');
  const weights = weightsOf(parts);
  const state = stateOf(parts);
  // The weights are in the shards of the optimizer alone, which pad theirs.
  if (weights.bytes === 0 || state.masterElements > 2 * weights.elements) return [];
  return [...serving(weights, loadedDtype(config), ranksThatDivide(side.json)), ...resuming(parts, weights, state)];
}

/** A shape and dtype that several weights have. */
interface EqualWeights {
  rows: number;
  /** Elements of a row. */
  columns: number;
  isMatrix: boolean;
  dtype: string;
  /** Of one tensor, as its bytes are. */
  elements: number;
  bytes: number;
  tensors: number;
}

interface Weights {
  forms: EqualWeights[];
  tensors: number;
  bytes: number;
  elements: number;
  /** The dtype with the most bytes. */
  dtype: string;
}

/** Of the model itself, where its layout tells it from others. */
function weightsOf(parts: Parts): Weights {
  const { tensors } = parts;
  const byRows = new Map<number, Map<number, EqualWeights>>();
  const forms: EqualWeights[] = [];
  const add = (row: number): void => {
    const rank = tensors.rankOf(row);
    const elements = tensors.elementsOf(row);
    const rows = rank === 0 ? 1 : tensors.dimensionOf(row, 0);
    const dtype = tensors.dtypeNumberOf(row);
    const equal = byRows.get(rows) ?? new Map<number, EqualWeights>();
    if (equal.size === 0) byRows.set(rows, equal);
    const key = elements * 512 + dtype * 2 + (rank > 1 ? 1 : 0);
    const known = Number.isSafeInteger(key) ? equal.get(key) : undefined;
    if (known !== undefined) {
      known.tensors += 1;
      return;
    }
    const name = tensors.dtypeName(dtype);
    const bytes = bytesOfElements(name, elements) ?? tensors.bytesOf(row);
    const columns = rows === 0 ? 0 : elements / rows;
    const form = { rows, columns, isMatrix: rank > 1, dtype: name, elements, bytes, tensors: 1 };
    equal.set(key, form);
    forms.push(form);
  };
  if (isModelDirectory(parts)) for (const { row } of ownWeights(parts)) add(row);
  else for (let row = 0; row < tensors.size; row++) if (tensors.componentOf(row) === 'weights' && !isCopy(parts, row)) add(row);
  return { forms, ...totalsOf(forms) };
}

function totalsOf(forms: readonly EqualWeights[]): Omit<Weights, 'forms'> {
  const bytesByDtype = new Map<string, number>();
  const total = { tensors: 0, bytes: 0, elements: 0 };
  for (const { tensors, bytes, elements, dtype } of forms) {
    total.tensors += tensors;
    total.bytes += tensors * bytes;
    total.elements += tensors * elements;
    bytesByDtype.set(dtype, (bytesByDtype.get(dtype) ?? 0) + tensors * bytes);
  }
  const [largest] = [...bytesByDtype].sort(([, a], [, b]) => b - a);
  return { ...total, dtype: largest?.[0] ?? '' };
}

function isCopy({ tensors, copies, otherModels }: Parts, row: number): boolean {
  if (copies === undefined && otherModels === undefined) return false;
  const file = tensors.pieceFile(tensors.firstPieceOf(row));
  return copies?.has(file) === true || otherModels?.has(file) === true;
}

/**
 * A base model in the dtype of its config, with an adapter that is not merged: PEFT holds low-rank matrices in 32 bits (peft/tuners/tuners_utils.py:
 * cast_adapter_dtype), and copies of whole modules as the base.
 */
function servingAdapter({ base, tensors }: LoadedAdapter): LoadMemory[] {
  const dtype = base?.fields == null || base.fields.has('quantization_config') ? undefined : modelDtype(base.fields);
  const ofBase = dtype === undefined || base === null ? undefined : bytesOfElements(dtype, base.counts.unique);
  const halfOrWhole = bytesOfElements(dtype ?? '', 1);
  if (dtype === undefined || base === null || ofBase === undefined || halfOrWhole === undefined) return [];
  const ofAdapter = adapterBytes(tensors, halfOrWhole);
  const source = `${counted(base.counts.unique, 'parameter')} of the base model (${base.name}) in the dtype of its config, and ${counted(tensors.length, 'tensor')} of the adapter, low-rank matrices in 32 bits; without keys, values and activations.`;
  return [
    {
      purpose: 'serving',
      dtype,
      ...{ tensorParallel: 1, pipelineParallel: 1, dataParallel: 1 },
      bytesPerRank: ofBase + ofAdapter,
      source,
    },
  ];
}

const lowRank = /\.lora_/;

/** What PEFT holds of an adapter. @param elementBytes of the base model, whose dtype copies of whole modules have */
export function adapterBytes(tensors: LoadedAdapter['tensors'], elementBytes: number): number {
  return tensors.reduce(
    (sum, { name, shape }) => sum + shape.reduce((product, size) => product * size, lowRank.test(name) ? 4 : elementBytes),
    0,
  );
}

/** What transformers and engines cast floating-point weights to; undefined for quantized models, which stay as they are stored. */
function loadedDtype(config: unknown): string | undefined {
  if (typeof config !== 'object' || config === null || memberOf(config, 'quantization_config') !== undefined) return undefined;
  return modelDtype(Fields.fromValues(config as Record<string, unknown>));
}

const castDtypes = new Set(['f64', 'f32', 'f16', 'bf16']);
const tensorParallelSizes = [1, 2, 4, 8] as const;

/** Engines divide attention by heads, and keys and values by their groups. */
function ranksThatDivide(json: ReadonlyMap<string, unknown>): number[] {
  const sizes = modelSizesIn(json);
  const heads = sizes?.attentionHeads ?? null;
  if (heads === null) return [1];
  const groups = sizes?.queryGroups ?? heads;
  return tensorParallelSizes.filter((ranks) => heads % ranks === 0 && groups % ranks === 0);
}

function serving({ forms, tensors, dtype: stored }: Weights, cast: string | undefined, sizes: readonly number[]): LoadMemory[] {
  const isCast = cast !== undefined && castDtypes.has(stored) && castDtypes.has(cast);
  const dtype = isCast ? cast : stored;
  return sizes.map((ranks): LoadMemory => {
    const bytesPerRank = forms.reduce((sum, form) => {
      const bytes = isCast && castDtypes.has(form.dtype) ? (bytesOfElements(cast, form.elements) as number) : form.bytes;
      const isDivided = form.isMatrix && (form.rows % ranks === 0 || form.columns % ranks === 0);
      return sum + form.tensors * (isDivided ? Math.ceil(bytes / ranks) : bytes);
    }, 0);
    const how = ranks === 1 ? '' : `, matrices divided among ${ranks} ranks, vectors and the rest whole`;
    const source = `${counted(tensors, 'tensor')} ${isCast ? `in the dtype of config.json` : 'as stored'}${how}; without keys, values and activations.`;
    return { purpose: 'serving', dtype, tensorParallel: ranks, pipelineParallel: 1, dataParallel: 1, bytesPerRank, source };
  });
}

/** Who shares what, as the files were saved. */
interface Sharing {
  tensorParallel: number;
  pipelineParallel: number;
  dataParallel: number;
  /** Ranks that share one copy of each, beyond tensor and pipeline parallelism. */
  weights: number;
  gradients: number;
  state: number;
  how: string;
}

function resuming(parts: Parts, weights: Weights, { masters, moments }: State): LoadMemory[] {
  const sharing = sharingOf(parts);
  if (sharing === undefined || moments === 0) return [];
  const trained = trainedShare(parts, weights, sharing);
  const modelParallel = sharing.tensorParallel * sharing.pipelineParallel;
  const per = (bytes: number, ranks: number): number => Math.ceil(bytes / (modelParallel * ranks));
  const bytesPerRank =
    per(weights.bytes, sharing.weights) +
    per(weights.bytes * trained, sharing.gradients) +
    per(masters, sharing.state) +
    per(moments, sharing.state);
  const gradients =
    trained < 1 ? 'gradients of the same dtype of the parameters that the optimizer has' : 'gradients of the same dtype';
  const terms = ['weights', gradients, ...(masters > 0 ? ['32-bit weights'] : []), 'optimizer state'];
  return [
    {
      purpose: 'resuming',
      dtype: weights.dtype,
      tensorParallel: sharing.tensorParallel,
      pipelineParallel: sharing.pipelineParallel,
      dataParallel: sharing.dataParallel,
      bytesPerRank,
      source: `${terms.slice(0, -1).join(', ')} and ${terms.at(-1) ?? ''} of the files, ${sharing.how}; without activations and buffers.`,
    },
  ];
}

/** Of the weights, those that are trained: the others have no gradients. 1 where ranks have parts of the state, whose shapes do not tell. */
function trainedShare({ tensors }: Parts, { elements }: Weights, { how }: Sharing): number {
  const trained = how === wholeOnEach ? optimizedElements(tensors) : null;
  return trained === null || elements === 0 ? 1 : Math.min(1, trained / elements);
}

interface State {
  masters: number;
  masterElements: number;
  moments: number;
}

/** Bytes of 32-bit weights and of optimizer state. */
function stateOf(parts: Parts): State {
  const { tensors } = parts;
  const sums: State = { masters: 0, masterElements: 0, moments: 0 };
  for (let row = 0; row < tensors.size; row++) {
    const component = tensors.componentOf(row);
    if (component === 'optimizer') sums.moments += sharedBytes(parts, row);
    else if (component === 'masterWeights') {
      const bytes = sharedBytes(parts, row);
      sums.masters += bytes;
      sums.masterElements += bytes / fullBytes;
    }
  }
  return sums;
}

/** Frameworks whose ranks each write their shard of what FSDP has in memory. */
const shardedLayouts: ReadonlySet<Parts['layout']> = new Set<Parts['layout']>([
  'verl',
  'accelerate',
  'composer',
  'torch-distributed',
  'lightning',
]);

/** Undefined where it does not follow from the files: experts on ranks of their own, Megatron's distributed optimizer in its distributed format. */
function sharingOf(parts: Parts): Sharing | undefined {
  const { topology, layout } = parts;
  const tensorParallel = topology.tensorParallel ?? 1;
  const pipelineParallel = topology.pipelineParallel ?? 1;
  const dataParallel =
    topology.dataParallel ?? Math.max(1, Math.floor((topology.worldSize ?? 1) / (tensorParallel * pipelineParallel)));
  if ((topology.expertParallel ?? 1) > 1 || (layout === 'megatron-distributed' && dataParallel > 1)) return undefined;
  const sizes = { tensorParallel, pipelineParallel, dataParallel };
  const stage = topology.zeroStage ?? 0;
  if (stage > 0) {
    const shared = (from: number): number => (stage >= from ? dataParallel : 1);
    return {
      ...sizes,
      weights: shared(3),
      gradients: shared(2),
      state: shared(1),
      how: `shared as ZeRO-${stage} on ${counted(dataParallel, 'data-parallel rank')} does`,
    };
  }
  // Pieces of Megatron's format are those of model-parallel ranks, and of ranks that write in parallel.
  const isModelParallel = tensorParallel * pipelineParallel > 1 || layout === 'megatron-distributed';
  const shards = isModelParallel ? 1 : (weightShards(parts) ?? (shardedLayouts.has(layout) ? ranksOfWeights(parts) : 1));
  if (shards > 1)
    return {
      ...sizes,
      dataParallel: Math.max(dataParallel, shards),
      weights: shards,
      gradients: shards,
      state: shards,
      how: `in ${shards} shards`,
    };
  const isDistributed = parts.files.some(({ path }) => baseName(path) === 'distrib_optim.pt');
  const state = isDistributed ? dataParallel : 1;
  const isDivided = tensorParallel * pipelineParallel * state > 1;
  return { ...sizes, weights: 1, gradients: 1, state, how: isDivided ? 'divided as saved' : wholeOnEach };
}

const wholeOnEach = 'whole on each rank';

function ranksOfWeights({ files }: Parts): number {
  return new Set(files.flatMap(({ component, rank }) => (component === 'weights' && rank !== undefined ? [rank] : []))).size;
}
