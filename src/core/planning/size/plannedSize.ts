/** Bytes of the checkpoint that a plan is about: measured, or parameters times what each takes. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { adapterParametersOf, adapterState } from './adapterSize.js';
import { recipeOf, type RecipePart } from './recipes.js';

/** A part of a checkpoint as a report measured it. */
export interface MeasuredPart {
  /** What it is called where it was measured. */
  label: string;
  bytes: number;
  /** True for what is left in an export for inference. */
  isWeights: boolean;
}

export interface SizePart {
  id: RecipePart | 'measured' | 'rest';
  label: string;
  bytes: number;
  isWeights: boolean;
}

export interface PlannedSize {
  checkpointBytes: number;
  /** What an export for inference has, and what ZeRO 1 and 2 write once for each replica. */
  weightBytes: number;
  bytesPerParameter: number;
  /**
   * `given`: bytes a parameter or the whole size were typed; `recipe`: the sum of what is saved; `adapters`: the same of adapters alone; `measured`: a
   * report's parts.
   */
  basis: 'measured' | 'recipe' | 'adapters' | 'given';
  /** Sum to `checkpointBytes`. */
  parts: SizePart[];
}

type SizeInputs = Pick<
  PlanInputs,
  'parameters' | 'recipe' | 'bytesPerParameter' | 'checkpointBytes' | 'tuning' | 'adapterParameters'
>;

/** @param measured parts of a report; used where they sum to the plan's checkpoint */
export function plannedSize(inputs: SizeInputs, measured: readonly MeasuredPart[] = []): PlannedSize {
  const { parameters, bytesPerParameter, checkpointBytes } = inputs;
  if (inputs.tuning !== 'full' && checkpointBytes === null && bytesPerParameter === null) return adapterSize(inputs);
  const { terms } = recipeOf(inputs.recipe);
  const perParameter = bytesPerParameter ?? terms.reduce((sum, term) => sum + term.bytesPerParameter, 0);
  // A checkpoint of no bytes would have no save time either.
  const total = checkpointBytes ?? Math.max(1, Math.round(parameters * perParameter));
  if (checkpointBytes !== null && measured.length > 0 && sumOf(measured) === checkpointBytes)
    return sized(
      total,
      parameters,
      'measured',
      measured.map((part) => ({ id: 'measured', ...part })),
    );
  if (checkpointBytes === null && bytesPerParameter === null) {
    const parts = terms.map((term) => recipePart(term.part, Math.round(term.bytesPerParameter * parameters)));
    return sized(sumOf(parts), parameters, 'recipe', parts);
  }
  // Of a given sum only the weights are known: the recipe's, where they fit.
  const own = (terms.find(({ part }) => part === 'weights')?.bytesPerParameter ?? 2) * parameters;
  const weights = recipePart('weights', Math.min(own, total));
  const rest: SizePart = { id: 'rest', label: 'optimizer and the rest', bytes: total - weights.bytes, isWeights: false };
  return sized(total, parameters, 'given', rest.bytes > 0 ? [weights, rest] : [weights]);
}

/** The moments lie together: their split is the optimizer's. */
function adapterSize(inputs: SizeInputs): PlannedSize {
  const count = Math.max(1, adapterParametersOf(inputs));
  const parts: SizePart[] = [
    recipePart('weights', count * adapterState.weights),
    { id: 'rest', label: 'optimizer', bytes: count * adapterState.optimizer, isWeights: false },
  ];
  return sized(sumOf(parts), inputs.parameters, 'adapters', parts);
}

function sized(checkpointBytes: number, parameters: number, basis: PlannedSize['basis'], parts: SizePart[]): PlannedSize {
  const weightBytes = sumOf(parts.filter(({ isWeights }) => isWeights));
  return { checkpointBytes, weightBytes, bytesPerParameter: checkpointBytes / parameters, basis, parts };
}

const labels: Readonly<Record<RecipePart, string>> = {
  weights: 'weights',
  masterWeights: 'master weights',
  firstMoment: 'first moment',
  secondMoment: 'second moment',
  exportedWeights: 'exported weights',
};

function recipePart(part: RecipePart, bytes: number): SizePart {
  return { id: part, label: labels[part], bytes, isWeights: part === 'weights' };
}

function sumOf(parts: readonly { bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
