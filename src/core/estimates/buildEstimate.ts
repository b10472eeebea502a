import { elementsOf } from '../configs/architectures/tensorGroup.js';
import type { Fields } from '../configs/fields.js';
import { tokenizerVocabulary } from '../configs/values/tokenizerVocabulary.js';
import type { CountedModel } from '../configs/countModel.js';
import type { AdapterPlan } from '../configs/trainingPlan.js';
import type { Estimate } from './estimate.js';
import { configFindingWords } from './configFindingWords.js';
import type {
  EstimatedData,
  EstimatedModel,
  EstimatedParameters,
  EstimatedRun,
  EstimatedTraining,
  EstimateReport,
  SavedModule,
} from './estimateReport.js';
import { assumptionsOf } from './estimateAssumptions.js';
import { missingModelInWords, originInWords, problemInWords, sourceInWords } from './estimateWords.js';

/** The report of an estimate: plain data, all words in it. */
export function buildEstimate(estimate: Estimate, path: string): EstimateReport {
  const { file, kind, model, missing, size, problems } = estimate;
  return {
    schemaVersion: 2,
    kind: 'estimate',
    path,
    config: kind.id,
    model: model === null ? null : modelOf(model, estimate.stored, estimate.plan.notes?.includes('vocabulary-may-grow') === true),
    missingModel: missing === null ? null : { ...missing, ...missingModelInWords(missing, problems) },
    parameters: model === null ? null : parametersOf(estimate, model),
    trainsNothing: estimate.serving !== undefined,
    serving: estimate.served,
    training: trainingOf(estimate),
    checkpoint: {
      ...size,
      terms: size.terms.map((term) => ({ ...term, source: sourceInWords(term.source) })),
      isAtLeast: estimate.plan.notes?.includes('critic-not-counted') === true,
      adapter: savedModules(estimate),
    },
    run: runOf(estimate),
    data: dataOf(estimate),
    assumptions: assumptionsOf(estimate),
    unresolved: problems.map(({ code, path: key, detail, span }) => ({
      key: key.length === 0 ? `line ${lineOf(file.text, span.start)}` : key.join('.'),
      text: detail,
      why: problemInWords(code, detail),
    })),
    findings: estimate.facts.map(({ code, severity, key, values }) => ({
      code,
      severity,
      key: key.path.join('.'),
      ...configFindingWords({ code, values }),
    })),
  };
}

function runOf({ run, freeBytes }: Estimate): EstimatedRun {
  const { saves, kept, bytes, peakBytes, writtenBytes, lastBytes, endBytes, temporaryBytes } = run;
  return { saves, kept, bytes, peakBytes, writtenBytes, lastBytes, endBytes, temporaryBytes, freeBytes };
}

function modelOf(
  { name, modelType, basis, defaulted, origin, groups }: CountedModel,
  stored: Estimate['stored'],
  mayGrow: boolean,
): EstimatedModel {
  const tensors = (groups ?? []).map(({ name: pattern, shape, copies, isTied }) => ({
    name: pattern,
    shape: [...shape],
    copies,
    parameters: elementsOf(shape) * copies,
    tied: isTied === true,
  }));
  return {
    name,
    modelType,
    basis: basis === 'architecture' && mayGrow ? 'base-vocabulary' : basis,
    defaulted: [...defaulted],
    origin: origin === null ? null : originInWords(origin),
    tensors: tensors.sort((a, b) => b.parameters - a.parameters),
    storedBytes: stored?.bytes ?? null,
    storedAs: stored?.as ?? null,
  };
}

function savedModules({ adapter }: Estimate): SavedModule[] | null {
  if (adapter === null) return null;
  return adapter.modules
    .map(({ name, parameters, isWhole }) => ({ module: name, parameters, whole: isWhole }))
    .sort((a, b) => b.parameters - a.parameters);
}

function parametersOf({ adapter, trained, plan }: Estimate, { counts, extras }: CountedModel): EstimatedParameters {
  const trainable = plan.adapter === undefined ? (trained?.parameters ?? counts.unique) : (adapter?.parameters ?? null);
  return { ...counts, trainable, extras: extras.map(({ name, parameters }) => ({ name, parameters })) };
}

function trainingOf({ plan, run }: Estimate): EstimatedTraining {
  return {
    steps: run.steps,
    epochs: plan.epochs ?? null,
    saveIntervalSteps: plan.saveIntervalSteps ?? null,
    saveMode: plan.saveMode ?? null,
    keep: plan.keep ?? null,
    keepEverySteps: plan.keepEverySteps ?? null,
    sequenceLength: plan.sequenceLength ?? null,
    globalBatch: plan.globalBatch ?? null,
    microBatch: plan.microBatch ?? null,
    accumulation: plan.accumulation ?? null,
    tokensPerStep: plan.tokensPerStep ?? null,
    precision: plan.precision ?? null,
    optimizer: plan.optimizer ?? null,
    adapterRank: rankOf(plan.adapter),
    loadBits: plan.loadBits ?? null,
    zeroStage: plan.zeroStage ?? null,
    sharding: plan.sharding ?? null,
    shardDegree: plan.shardDegree ?? null,
    worldSize: plan.worldSize ?? null,
    gpusPerNode: plan.gpusPerNode ?? null,
    dataParallel: plan.dataParallel ?? null,
    tensorParallel: plan.tensorParallel ?? null,
    pipelineParallel: plan.pipelineParallel ?? null,
    contextParallel: plan.contextParallel ?? null,
    expertParallel: plan.expertParallel ?? null,
  };
}

/** Blocks of OFT are no rank; 0 is one that is not known. */
function rankOf(adapter: AdapterPlan | undefined): number | null {
  return adapter === undefined || adapter.kind === 'oft' || adapter.rank === 0 ? null : adapter.rank;
}

/** Tokens as they are usually stored: 16 bits where all ids fit, else 32. */
function dataOf({ plan, run, model, file }: Estimate): EstimatedData | null {
  if (plan.notes?.includes('answers-generated') === true) return null;
  const tokens =
    plan.maxTokens ?? (run.steps !== null && plan.tokensPerStep !== undefined ? run.steps * plan.tokensPerStep : null);
  if (tokens === null || tokens === 0) return null;
  const bytesPerToken =
    plan.dataDtype === undefined ? usualTokenBytes(vocabularyOf(model) ?? vocabularyIn(file.fields)) : tokenBytes[plan.dataDtype];
  const bytes = tokens * bytesPerToken;
  return Number.isSafeInteger(bytes) ? { tokens, bytesPerToken, bytes } : null;
}

const tokenBytes = { u16: 2, u32: 4, i32: 4, i64: 8 } as const;

/** Megatron stores 16-bit ids below 65,500 tokens (core/datasets/indexed_dataset.py, DType.optimal_dtype). */
function usualTokenBytes(vocabulary: number | undefined): number {
  return vocabulary !== undefined && vocabulary < 65_500 ? 2 : 4;
}

function vocabularyOf(model: CountedModel | null): number | undefined {
  return model?.groups?.find(({ kind }) => kind === 'embedding')?.shape[0];
}

/** Of the config where its model is not counted. */
function vocabularyIn(fields: Fields): number | undefined {
  const names = tokenizerKeys.map((key) => fields.text(key));
  return fields.integer('vocab_size', 'padded_vocab_size') ?? names.map(tokenizerVocabulary).find((size) => size !== undefined);
}

const tokenizerKeys = ['tokenizer_type', 'tokenizer_model', 'tokenizer_name_or_path', 'tokenizer_name', 'tokenizer'] as const;

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
