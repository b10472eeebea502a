/** What in a config will hurt: facts, without words. */
import { limits } from '../bytes/limits.js';
import type { RunSize } from './runSize.js';
import type { ConfigFindingCode } from './estimateReport.js';
import type { Fields, UsedKey } from '../configs/fields.js';
import type { TrainingPlan } from '../configs/trainingPlan.js';
import { intervalKeys, keepKeys } from './saveKeys.js';

/** A finding before its words. */
export interface ConfigFact {
  code: ConfigFindingCode;
  severity: 'error' | 'warning' | 'note';
  /** The key that it is about. */
  key: UsedKey;
  /** For the words: bytes, counts and texts of the file. */
  values: Readonly<Record<string, string | number>>;
  fix?: ConfigFix;
}

/** A change that is safe to offer: of one value, or of one more key beside another. */
export type ConfigFix =
  { kind: 'set'; value: string | number | boolean } | { kind: 'add'; key: string; value: string | number | boolean };

export interface Circumstances {
  plan: TrainingPlan;
  run: RunSize;
  /** Of one checkpoint. */
  checkpointBytes: number | null;
  /** It takes less where only a part of the model is trained, which is not counted. */
  isAtMost: boolean;
  vocabulary: number | null;
  freeBytes: number | null;
}

/** A run may leave this many checkpoints without a warning; with more, the disk fills unless some are deleted. */
const unremarkableCheckpoints = 20;
/** Ids that fit into 16 bits. */
const mostU16Tokens = 65_536;

/** @param fields of the config that was asked for */
export function assessConfig(fields: Fields, circumstances: Circumstances): ConfigFact[] {
  return [
    freeSpace(fields, circumstances),
    everyCheckpointKept(fields, circumstances),
    vocabulary(fields, circumstances),
    notGathered(fields, circumstances),
    weightsOnly(fields, circumstances),
    refusedInterval(fields, circumstances),
    fp16Weights(fields, circumstances),
    ...unusable(fields),
  ].filter((fact) => fact !== null);
}

function freeSpace(fields: Fields, { run, freeBytes, checkpointBytes, isAtMost }: Circumstances): ConfigFact | null {
  const key = keyNamed(fields, keepKeys) ?? keyNamed(fields, frequencyKeys);
  const { bytes, peakBytes } = run;
  if (bytes === null || peakBytes === null || freeBytes === null || checkpointBytes === null) return null;
  if (peakBytes <= freeBytes || key === null) return null;
  const fitting = Math.floor(freeBytes / checkpointBytes);
  const values = { bytes, peakBytes, freeBytes, kept: run.kept ?? 0, fitting, atMost: isAtMost ? 1 : 0 };
  return { code: 'checkpoints-exceed-free-space', severity: 'warning', key, values };
}

function everyCheckpointKept(fields: Fields, { plan, run, isAtMost }: Circumstances): ConfigFact | null {
  const key = keyNamed(fields, frequencyKeys);
  if (key === null || plan.keep !== null || run.saves === null || run.saves <= unremarkableCheckpoints) return null;
  const values = { saves: run.saves, bytes: run.bytes ?? 0, atMost: isAtMost ? 1 : 0 };
  const fact = { code: 'every-checkpoint-kept', severity: 'warning', key, values } as const;
  const isTrainer = key.path[key.path.length - 1] === 'save_steps' && !fields.has('save_total_limit');
  return isTrainer ? { ...fact, fix: { kind: 'add', key: 'save_total_limit', value: 3 } } : fact;
}

function vocabulary(fields: Fields, { plan, vocabulary: size }: Circumstances): ConfigFact | null {
  if (plan.dataDtype !== 'u16' || size === null || size <= mostU16Tokens) return null;
  const key = keyNamed(fields, ['memmap_dtype', 'data_dtype', 'dtype', 'token_dtype', 'vocab_size', 'padded_vocab_size']);
  return key === null
    ? null
    : { code: 'vocabulary-exceeds-token-dtype', severity: 'error', key, values: { vocabulary: size, most: mostU16Tokens } };
}

function notGathered(fields: Fields, { plan }: Circumstances): ConfigFact | null {
  if (plan.zeroStage !== 3 || plan.gathersWeights === true || plan.writer === 'mlperf-storage') return null;
  // A program that saves by the engine alone and gathers the model itself when training ends.
  if (plan.writer === 'deepspeed' && plan.endFolder !== undefined) return null;
  const key = keyNamed(fields, [gatherName, 'zero3_save_16bit_model', 'stage', 'zero_stage']);
  if (key === null) return null;
  const name = key.path[key.path.length - 1];
  const fact = { code: 'sharded-weights-not-gathered', severity: 'note', key, values: {} } as const;
  if (name === gatherName || name === 'zero3_save_16bit_model') return { ...fact, fix: { kind: 'set', value: true } };
  const added = name === 'stage' ? gatherName : 'zero3_save_16bit_model';
  return { ...fact, fix: { kind: 'add', key: added, value: true } };
}

const gatherName = 'stage3_gather_16bit_weights_on_model_save';

function weightsOnly(fields: Fields, { plan }: Circumstances): ConfigFact | null {
  if (plan.savesOptimizer !== false || plan.resumesFrom === undefined) return null;
  const key = keyNamed(fields, ['save_only_model', 'save_weights_only', 'no_save_optim']);
  if (key === null) return null;
  const fact = { code: 'weights-only-cannot-resume', severity: 'warning', key, values: { from: plan.resumesFrom } } as const;
  return { ...fact, fix: { kind: 'set', value: false } };
}

/** An interval at which the program stops, or none where it needs one. */
function refusedInterval(fields: Fields, { plan: { notes = [] } }: Circumstances): ConfigFact | null {
  const isMissing = notes.includes('interval-required');
  if (!isMissing && !notes.includes('interval-refused')) return null;
  const key = keyNamed(fields, isMissing ? ['save'] : otherIntervalKeys) ?? keyNamed(fields, intervalKeys);
  const [code, severity] = ['save-interval-refused', isMissing ? 'warning' : 'error'] as const;
  return key === null ? null : { code, severity, key, values: { missing: isMissing ? 1 : 0 } };
}

/** The scaler of gradients refuses 16-bit ones (torch/amp/grad_scaler.py, _unscale_grads_); engines scale by themselves, or train a 32-bit copy. */
function fp16Weights(fields: Fields, { plan }: Circumstances): ConfigFact | null {
  if (
    plan.writer !== 'huggingface-trainer' ||
    plan.zeroStage !== undefined ||
    plan.precision !== 'f16' ||
    !trainsIn16Bits(plan) ||
    plan.notes?.includes('trains-nothing') === true
  )
    return null;
  const key = keyNamed(fields, ['fp16', 'mixed_precision', 'torch_dtype', 'dtype']);
  if (key === null) return null;
  const ofRelease = plan.loadedDtype === 'of-release' ? 1 : 0;
  const severity = ofRelease === 1 ? 'warning' : 'error';
  return {
    code: 'fp16-weights-in-mixed-precision',
    severity,
    key,
    values: { ofRelease, adapter: plan.adapter === undefined ? 0 : 1 },
  };
}

/** Of an adapter its own matrices are 32 bits wide unless they are kept in another dtype, but modules that are trained whole are as the base was loaded (see checkpointSize.ts, adapterParts). */
function trainsIn16Bits({ adapter, adapterCast, parameterDtype }: TrainingPlan): boolean {
  if (adapter === undefined) return parameterDtype === 'f16';
  const dtype = adapterCast?.dtype === 'of-base' ? parameterDtype : adapterCast?.dtype;
  if (dtype !== undefined) return dtype === 'f16';
  return parameterDtype === 'f16' && (adapter.savedModules ?? []).length > 0;
}

/** Beside those of `intervalKeys`. */
const otherIntervalKeys = ['every', 'checkpointing_steps', 'persistent_save_interval'];

/** Values that are neither numbers nor templates where a number has to be. The card names templates, as they are meant to be there. */
function unusable(fields: Fields): ConfigFact[] {
  const problems = fields.problems.filter(({ code }) => code === 'invalid-value');
  const more = problems.length - limits.findingsPerCode;
  return problems.slice(0, limits.findingsPerCode + 1).map(({ path, span, detail }, at) => ({
    code: 'value-unusable',
    severity: 'warning',
    key: { path, node: { kind: 'scalar', span, value: null, isQuoted: false } },
    values: at < limits.findingsPerCode ? { detail } : { more },
  }));
}

/** Keys that say how often a config saves; of the last, more is more often. */
const frequencyKeys = [...intervalKeys, 'saves_per_epoch'];

/** The first of these keys, wherever in the file, that the estimate rests on. */
function keyNamed(fields: Fields, names: readonly string[]): UsedKey | null {
  for (const name of names)
    for (const used of fields.used.values()) if (used.path[used.path.length - 1] === name && used.node.span.end > 0) return used;
  return null;
}
