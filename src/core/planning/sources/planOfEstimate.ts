/** What a config was estimated at, as the beginning of a plan. */
import type { PlanDocument } from '../inputs/planDocument.js';
import { recipes, type RecipeId, type RecipePart } from '../size/recipes.js';
import { placeName } from '../../files/paths.js';
import type { EstimateReport, EstimatedTraining } from '../../estimates/estimateReport.js';
import { documentOf } from './documentOf.js';
import { defaultSaveMode } from '../settings/frameworkDefaults.js';
import { isFramework } from '../settings/frameworkSettings.js';
import { sharingOf } from './planOfReport.js';

/** Never throws; what the config does not say keeps its standard. */
export function planOfEstimate(report: EstimateReport): PlanDocument {
  const { checkpoint, parameters, training, data, path } = report;
  // An adapter's checkpoint is not the model's: it is taken as a size of its own.
  const isAdapter = parameters !== null && parameters.trainable !== null && parameters.trainable < parameters.unique;
  const recipe = isAdapter ? null : recipeOfTerms(checkpoint.terms);
  return documentOf(
    path,
    { kind: 'read', text: placeName(path) },
    {
      parameters: parameters?.unique ?? checkpoint.parameters,
      adapterParameters: isAdapter ? parameters.trainable : null,
      tuning: isAdapter ? (training.loadBits === 4 ? 'qlora' : 'lora') : null,
      checkpointBytes: isAdapter ? checkpoint.bytes : null,
      activeParameters: parameters !== null && parameters.active < parameters.unique ? parameters.active : null,
      recipe,
      bytesPerParameter: recipe === null && !isAdapter && checkpoint.terms.length > 0 ? checkpoint.bytesPerParameter : null,
      ...sharingOf(training.worldSize, { ...training, dataParallel: replicasOf(training) }),
      expertParallel: training.expertParallel,
      gpusPerNode: training.gpusPerNode,
      zeroStage: training.sharding === null ? null : stageOfSharding[training.sharding],
      shardDegree: training.shardDegree,
      framework: isFramework(report.config) ? report.config : null,
      saveMode: training.saveMode ?? (isFramework(report.config) ? defaultSaveMode(report.config) : null),
      keepLast: training.keep,
      keepEvery: keepEvery(report),
      intervalSteps: training.saveIntervalSteps ?? stepsOfSave(report),
      tokensPerStep: training.tokensPerStep,
      // Ranks of a context-parallel group compute parts of the same sequences.
      accumulation: training.tokensPerStep === null && (training.contextParallel ?? 1) === 1 ? training.accumulation : null,
      runSteps: training.steps,
      sequenceLength: training.sequenceLength,
      microBatch: training.microBatch,
      tokens: data?.tokens ?? null,
      bytesPerToken: data?.bytesPerToken ?? null,
    },
  );
}

/** The stage of ZeRO that shares the same. */
const stageOfSharding = { none: '0', optimizer: '1', gradients: '2', weights: '3' } as const;

/** Every how many saves one stays for ever; null where the config does not say. */
function keepEvery(report: EstimateReport): number | null {
  const { keepEverySteps, saveIntervalSteps } = report.training;
  if (keepsAll(report)) return 1;
  if (keepEverySteps === null || saveIntervalSteps === null) return null;
  return Math.max(1, Math.round(keepEverySteps / saveIntervalSteps));
}

/** Of an interval in epochs, where the steps of the run are known. */
function stepsOfSave({ run, training }: EstimateReport): number | null {
  return training.steps === null || run.saves === null || run.saves === 0 ? null : Math.ceil(training.steps / run.saves);
}

/** Whether every checkpoint of the run stays: the framework deletes none. */
function keepsAll({ run, training }: EstimateReport): boolean {
  return training.keep === null && run.saves !== null && run.kept === run.saves;
}

/** Ranks of a context-parallel group hold the same weights. */
function replicasOf({ dataParallel, contextParallel }: EstimatedTraining): number | null {
  return dataParallel === null ? null : dataParallel * (contextParallel ?? 1);
}

/** The recipe that saves the same parts at the same bytes; null where there is none, and the sum alone is taken. */
function recipeOfTerms(terms: EstimateReport['checkpoint']['terms']): RecipeId | null {
  const bytesOf = new Map<string, number>(terms.map(({ name, bytesPerParameter }) => [name, bytesPerParameter]));
  const isSame = (recipe: (typeof recipes)[number]): boolean =>
    recipe.terms.length === bytesOf.size &&
    recipe.terms.every(({ part, bytesPerParameter }) => bytesOf.get(part satisfies RecipePart) === bytesPerParameter);
  return recipes.find(isSame)?.id ?? null;
}
