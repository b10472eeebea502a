/** The use cases with what runs them. Each is loaded when it is run: a command line starts with one of them only. */
import type * as v from 'valibot';
import type { Answer } from './answer.js';
import type { Hooks, Platform } from './platform.js';
import { useCaseTable, type UseCaseDescription, type UseCaseName } from './useCaseTable.js';

type InputOf<Name extends UseCaseName> = v.InferOutput<(typeof useCaseTable)[Name]['input']>;

/** A use case that can be run. */
export interface UseCase<Input, Result extends Answer, Progress> extends UseCaseDescription {
  /** @throws InputError, PathError; CheckError of bandwidth checks */
  run(platform: Platform, input: Input, hooks?: Hooks<Progress>): Promise<Result>;
}

function useCase<Name extends UseCaseName, Result extends Answer, Progress = never>(
  name: Name,
  load: () => Promise<(platform: Platform, input: InputOf<Name>, hooks?: Hooks<Progress>) => Promise<Result>>,
): UseCase<InputOf<Name>, Result, Progress> {
  return { ...useCaseTable[name], run: async (platform, input, hooks) => (await load())(platform, input, hooks) };
}

export const useCases = {
  inspect: useCase('inspect', async () => (await import('./inspection/inspectPath.js')).inspectPath),
  estimate: useCase('estimate', async () => (await import('./estimates/estimatePath.js')).estimatePath),
  estimateRuns: useCase('estimateRuns', async () => (await import('./estimates/estimateRuns.js')).estimateRuns),
  runs: useCase('runs', async () => (await import('./runs/runsBelow.js')).runsBelow),
  runsInTelemetry: useCase('runsInTelemetry', async () => (await import('./runs/runsInTelemetry.js')).runsInTelemetry),
  retention: useCase('retention', async () => (await import('./retention/retentionOf.js')).retentionOf),
  verify: useCase('verify', async () => (await import('./verification/verifyPath.js')).verifyPath),
  values: useCase('values', async () => (await import('./values/valuesOf.js')).valuesOf),
  slice: useCase('slice', async () => (await import('./values/sliceOf.js')).sliceOf),
  compare: useCase('compare', async () => (await import('./comparison/compareCheckpoints.js')).compareCheckpoints),
  plan: useCase('plan', async () => (await import('./plans/planFrom.js')).planFrom),
  previewBandwidth: useCase('previewBandwidth', async () => (await import('./bandwidth/checkBandwidth.js')).previewOfCheck),
  checkBandwidth: useCase('checkBandwidth', async () => (await import('./bandwidth/checkBandwidth.js')).checkBandwidth),
};
