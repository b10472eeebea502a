/** From the text of a config to an estimate: parse, recognise, read, count, size. Reads no other file than those a config names. */
import { assessConfig, type ConfigFact } from './assessConfig.js';
import { configFile } from '../configs/configAccess.js';
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../configs/configKind.js';
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';
import { countAdapter, type CountedAdapter } from '../configs/adapters/countAdapter.js';
import { tensorsOutside, type TrainedTensors, trainedTensors } from '../configs/trainedLayers.js';
import { trainedAfter } from '../configs/trainedSteps.js';
import { countModel, type CountedModel, type MissingModel } from '../configs/countModel.js';
import type { ConfigProblem } from '../configs/document/configNode.js';
import { Fields, keyOf, type UsedKey } from '../configs/fields.js';
import { recogniseConfig } from '../frameworks/recogniseConfig.js';
import { withSourced } from '../configs/sourcedFiles.js';
import { storedModel, type StoredModel } from '../configs/storage/storedModel.js';
import { planOfServing, withNamedStorage } from '../configs/plans/servingPlan.js';
import type { ServingSettings } from '../configs/servingSettings.js';
import type { TrainingPlan } from '../configs/trainingPlan.js';
import { pinnedTransformers, type PinnedRelease } from '../configs/pinnedRelease.js';
import { planOf } from '../configs/plans/planOf.js';
import { loadedDtype, type LoadedDtype } from '../configs/loadedDtype.js';
import { checkpointSize, exportBytes, weightBytes, type CheckpointSize, type SavedModel } from './checkpointSize.js';
import { runSize, type RunSize } from './runSize.js';
import { servingSize, type ServingSize } from './servingSize.js';
import { runTimeline, type RunTimeline } from './runTimeline.js';

/** What an estimate rests on and comes to; `report/buildEstimate.ts` makes the report of it. */
export interface Estimate {
  file: ConfigFile;
  kind: ConfigKind;
  model: CountedModel | null;
  /** Why there is no model; null where there is one. */
  missing: MissingModel | null;
  adapter: CountedAdapter | null;
  /** The tensors that are trained where they are a part of the model; null where all are, or which is not known. */
  trained: TrainedTensors | null;
  /** The tensors that have optimizer state at a time where layers take turns; null where all that are trained have, or which is not known. */
  stateful: TrainedTensors | null;
  /** The weights alone, as published. */
  stored: StoredModel | null;
  plan: TrainingPlan;
  /** How the model is loaded where nothing is trained; undefined for configs of training, and of a model alone. */
  serving: ServingSettings | undefined;
  /** What the model takes in memory while it serves; null where that is not known. */
  served: ServingSize | null;
  /** Where the run sets no dtype for the weights; null where it does, or another program decides. */
  loaded: LoadedWeights | null;
  /** The release of transformers that decides it, where the project asks for one; null where that decides nothing. */
  pinned: PinnedRelease | null;
  size: CheckpointSize;
  run: RunSize;
  timeline: RunTimeline;
  facts: readonly ConfigFact[];
  problems: readonly ConfigProblem[];
  /** Keys of the file that the estimate rests on, by `keyOf(path)`. */
  used: ReadonlyMap<string, UsedKey>;
  freeBytes: number | null;
}

/** In what weights are loaded, and what a checkpoint is where another release loads them in 32 bits; null where that makes no difference. */
export interface LoadedWeights extends LoadedDtype {
  inOlderRelease: CheckpointSize | null;
}

export interface EstimateOptions {
  /** Over what the config says; of the command line. */
  plan?: Partial<TrainingPlan>;
  /** In place of the model that the config names. */
  model?: ModelSource | null;
  /** Values in place of the file's, by `keyOf(path)`. */
  overrides?: ReadonlyMap<string, number>;
  /** Free on the file system to which checkpoints go. */
  freeBytes?: number | null;
}

/**
 * Parses a config and tells whose it is; null for files of another syntax and for all that is no config.
 * @param access to what is beside it, for the files that a script sources
 */
export async function openConfig(
  path: string,
  text: string,
  access?: ConfigAccess,
): Promise<{ file: ConfigFile; kind: ConfigKind } | null> {
  const alone = await configFile(path, text);
  const file = alone === null || access === undefined ? alone : await withSourced(alone, access);
  const kind = file === null ? null : recogniseConfig(file);
  return file === null || kind === null ? null : { file, kind };
}

/** Reads a recognised config and sizes what it will write. Never throws on what is in the file. */
export async function estimate(
  { file, kind }: { file: ConfigFile; kind: ConfigKind },
  access: ConfigAccess,
  { plan: given = {}, model: givenModel = null, overrides = new Map(), freeBytes = null }: EstimateOptions = {},
): Promise<Estimate> {
  // Fresh fields: they remember which keys this reading used.
  const fields = Fields.of(file.document, overrides);
  const reading = await kind.read({ ...file, fields }, access);
  const { model, missing } = await countModel(givenModel ?? reading.model, access);
  const serving = withNamedStorage(reading.serving, givenModel ?? reading.model, model);
  const said = serving === undefined ? { ...reading.plan, ...given } : planOfServing(reading.plan);
  const pinned = said.loadedDtype === 'of-release' ? await pinnedTransformers(file, access) : null;
  const asked = pinned?.major === 4 ? planOf({ ...said, loadedDtype: undefined }) : said;
  const dtype = given.precision === 'f32' ? null : loadedDtype(asked, model);
  const plan = dtype === null ? asked : { ...asked, parameterDtype: dtype.dtype };
  const stored = model === null ? null : storedModel(model);
  const adapter = plan.adapter === undefined ? null : countAdapter(model, plan.adapter);
  const groups = model?.groups ?? null;
  const trained = groups === null ? null : trainedOf(groups, plan);
  const stateful = groups === null || plan.stateLayers === undefined ? null : trainedTensors(groups, plan.stateLayers);
  const saved = { unique: model?.counts.unique ?? null, groups, adapter, trained: stateful ?? trained };
  const size = serving === undefined ? checkpointSize(saved, plan) : nothingSaved;
  const loaded = dtype === null ? null : { ...dtype, inOlderRelease: sizeInOlderRelease(saved, plan, size) };
  const weights = serving === undefined ? weightBytes(saved, plan) : 0;
  const bytes = { checkpoint: size.bytes, weights, exported: exportBytes(saved, plan) };
  const run = runSize(bytes, plan);
  const timeline = runTimeline(bytes, plan, run);
  const isAtMost = plan.notes?.includes('partly-frozen') === true && trained === null;
  const facts = assessConfig(fields, {
    plan,
    run,
    checkpointBytes: size.bytes,
    isAtMost,
    vocabulary: vocabularyOf(model),
    freeBytes,
  });
  const problems = [...file.document.problems, ...fields.problems];
  const counted = { model, missing, adapter, trained, stateful, stored };
  const served = servingSize(model, stored, serving);
  const sized = { plan, serving, served, loaded, pinned, size, run, timeline };
  return { file, kind, ...counted, ...sized, facts, problems, used: fields.used, freeBytes };
}

/** Where nothing is trained no checkpoint is written. */
const nothingSaved: CheckpointSize = { bytes: 0, bytesPerParameter: 0, parameters: 0, terms: [] };

/** What transformers 4 saves, which keeps 32 bits where no dtype is set; null where that is the same. */
function sizeInOlderRelease(saved: SavedModel, plan: TrainingPlan, size: CheckpointSize): CheckpointSize | null {
  if (plan.loadedDtype !== 'of-release') return null;
  const older = checkpointSize(saved, { ...plan, parameterDtype: 'f32' });
  return older.bytesPerParameter === size.bytesPerParameter ? null : older;
}

/** What is trained where that is not all. */
function trainedOf(groups: readonly TensorGroup[], plan: TrainingPlan): TrainedTensors | null {
  const { trainedLayers, frozenParts, trainingSteps } = plan;
  const outside = frozenParts === undefined ? null : tensorsOutside(groups, frozenParts);
  // Both together are not counted.
  if (trainingSteps !== undefined) return outside === null ? trainedAfter(groups, trainingSteps) : null;
  if (trainedLayers !== undefined) return trainedTensors(groups, trainedLayers);
  return outside;
}

/** The same with one key changed: what hovering it shows. */
export async function estimateWith(
  config: { file: ConfigFile; kind: ConfigKind },
  access: ConfigAccess,
  path: readonly string[],
  value: number,
): Promise<Estimate> {
  return estimate(config, access, { overrides: new Map([[keyOf(path), value]]) });
}

/** Rows of the input embedding. */
function vocabularyOf(model: CountedModel | null): number | null {
  return model?.groups?.find(({ kind }) => kind === 'embedding')?.shape[0] ?? null;
}
