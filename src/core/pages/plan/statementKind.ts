/** How far a statement of a plan can be trusted: by the inputs that decide it. */
import { inputOrigin } from '../../planning/inputs/inputOrigin.js';
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../planning/inputs/planInputs.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import type { StatementKind } from '../statement.js';

/** `assumed` where one of the inputs is not given; what they all are where they agree. */
export function statementKind(document: PlanDocument, decisive: readonly PlanKey[]): StatementKind {
  const { inputs } = document;
  const kinds = decisive.map((key) => inputOrigin(document, key)?.kind);
  // What a GPU or a site decides is a default; what the sites file has is given.
  if (decisive.some((key, index) => inputs[key] == null && kinds[index] !== 'site')) return 'assumed';
  if (kinds.every((kind) => kind === 'measured')) return 'measured';
  return kinds.every((kind) => kind === 'read') ? 'read' : 'derived';
}

const originWords = {
  measured: 'As measured',
  read: 'As the config has it',
  preset: 'As the preset has it',
  set: 'As given',
  site: 'As the sites file has it',
} as const;

/** Where an input that is not derived comes from: `As given`. */
export function givenWords(document: PlanDocument, key: PlanKey): string {
  return originWords[inputOrigin(document, key)?.kind ?? 'set'];
}

/** Inputs that decide the size of a checkpoint. */
export function sizeKeys({ inputs, size }: StoragePlan): PlanKey[] {
  if (inputs.checkpointBytes !== null) return ['checkpointBytes'];
  if (size.basis === 'adapters') return [inputs.adapterParameters === null ? 'parameters' : 'adapterParameters', 'tuning'];
  return ['parameters', inputs.bytesPerParameter === null ? 'recipe' : 'bytesPerParameter'];
}

/** Inputs that decide how often the job fails. */
export function failureKeys({ inputs }: StoragePlan): PlanKey[] {
  if (inputs.mtbfSeconds !== null) return ['mtbfSeconds'];
  return [inputs.gpuMtbfSeconds === null ? 'failureRate' : 'gpuMtbfSeconds', 'gpus'];
}

/** Inputs that decide how long a save holds training up. */
export function stallKeys(plan: StoragePlan): PlanKey[] {
  const { save } = plan;
  if (save.stallBasis === 'given') return ['stallSeconds'];
  const bytes = [...sizeKeys(plan), 'fixedStallSeconds'] as const;
  if (save.stallBasis === 'device-to-host') return [...bytes, 'deviceToHostBytesPerSecond'];
  return [...bytes, ...bandwidthKeys(plan)];
}

/** Inputs that decide what saves are written at. */
export function bandwidthKeys({ save }: StoragePlan): readonly PlanKey[] {
  return bandwidthKeysOf[save.bandwidthBasis];
}

const bandwidthKeysOf: Record<StoragePlan['save']['bandwidthBasis'], readonly PlanKey[]> = {
  given: ['writeBytesPerSecond'],
  nodes: ['clientBytesPerSecond', 'gpus', 'gpusPerNode'],
  limit: ['store'],
  objects: ['objectBytesPerSecond'],
  pays: ['gpus', 'gpuPricePerHour', 'storePricePerGBps'],
};

/** Inputs that decide how often the plan saves. */
export function intervalKeys(plan: StoragePlan): PlanKey[] {
  if (plan.save.intervalBasis !== 'given') return [...stallKeys(plan), ...failureKeys(plan)];
  if (plan.inputs.intervalSeconds !== null) return ['intervalSeconds'];
  if (plan.inputs.stepSeconds !== null) return ['intervalSteps', 'stepSeconds'];
  return ['intervalSteps', plan.inputs.tokensPerStep === null ? 'accumulation' : 'tokensPerStep'];
}
