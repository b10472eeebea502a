/**
 * Adapters of parameters that hold all experts of a layer, which transformers 5 has in place of a module for each (peft/tuners/lora/layer.py, ParamWrapper;
 * peft/utils/transformers_weight_conversion.py; 0.21.2): `r` rows for each expert, and a wrapper around the wrapper of the parameter before.
 */
import { moduleOf, nameAt, stackOf } from '../architectures/moduleNames.js';
import type { TensorGroup } from '../architectures/tensorGroup.js';
import { hasUsualStack } from './adapterTargets.js';
import { isTargetedByOldName, maximumLayers, noGroup, router, type AdapterJob } from './adapterTensors.js';

/** A parameter with an adapter of its own, of one layer. */
export interface StackedParameter {
  /** Name pattern of the module that has it. */
  pattern: string;
  layer: number;
  /** Wrappers of other parameters of the module that are around this one's. */
  depth: number;
  /** Of each expert. */
  rank: number;
  experts: number;
  inputs: number;
  outputs: number;
  group: TensorGroup;
}

export interface StackedParameters {
  stacked: StackedParameter[];
  /** Why there may be more. */
  open: string[];
}

/** Parameters of experts and routers by the targets for parameters, or by the names that they had as modules. */
export function stackedParameters(
  job: AdapterJob,
  groups: readonly TensorGroup[],
  modelType: string | undefined,
): StackedParameters {
  const found: StackedParameters = { stacked: [], open: [] };
  const met = new Set<string>();
  for (const experts of expertsIn(groups)) addExperts(job, { ...experts, groups, modelType, met }, found);
  for (const { text } of job.parameterTargets.targets)
    if (!met.has(text)) found.open.push(`which parameters its target ${text} means is not known`);
  return found;
}

/** Matrices of the experts of a layer, as a config counts them, by the ends of their names. */
interface Experts {
  /** `model.layers.N.mlp.experts` */
  module: string;
  own: ReadonlyMap<string, TensorGroup>;
}

interface ExpertsOfModel extends Experts {
  groups: readonly TensorGroup[];
  modelType: string | undefined;
  /** Targets that mean a parameter. */
  met: Set<string>;
}

function expertsIn(groups: readonly TensorGroup[]): Experts[] {
  const byModule = new Map<string, Map<string, TensorGroup>>();
  for (const group of groups) {
    const [before, leaf] = group.name.split('.experts.N.');
    if (before === undefined || leaf === undefined) continue;
    const module = `${before}.experts`;
    byModule.set(module, (byModule.get(module) ?? new Map<string, TensorGroup>()).set(leaf, group));
  }
  return [...byModule].map(([module, own]) => ({ module, own }));
}

function addExperts(job: AdapterJob, { module, own, groups, modelType, met }: ExpertsOfModel, found: StackedParameters): void {
  const { parameterTargets, experts: old, adapter } = job;
  const isNamed = (name: string): boolean => {
    const targets = parameterTargets.matching(nameAt(name, 0), noGroup);
    for (const { target } of targets) met.add(target.text);
    return targets.length > 0;
  };
  const gate = routerOf(job, groups, module);
  const isOld = (group: TensorGroup, name: string): boolean => old !== undefined && isTargetedByOldName(job, group, name);
  if (gate !== undefined && (isNamed(gate.name) || isOld(gate, router)))
    add(
      job,
      gate,
      { module: moduleOf(gate), name: gate.name, experts: 1, outputs: gate.shape[0] ?? 0, depth: 0, rank: adapter.rank },
      found,
    );
  const [first, up, down] = ['gate_proj', 'up_proj', 'down_proj'].map((leaf) => own.get(`${leaf}.weight`));
  const names = { gateUp: `${module}.gate_up_proj`, down: `${module}.down_proj` };
  const olds = up === undefined ? [] : (old?.gateAndUp ?? []).filter((name) => isOld(up, name));
  const isDownMeant = isNamed(names.down) || (down !== undefined && isOld(down, old?.down ?? ''));
  const isUpMeant = isNamed(names.gateUp) || olds.length > 0;
  if (!isUpMeant && !isDownMeant) return;
  const experts = gate === undefined || up === undefined ? NaN : up.copies / gate.copies;
  if (olds.length === 1) found.open.push(`PEFT refuses to adapt ${olds.join()} of experts alone, as it is stacked with another`);
  else if (
    first === undefined ||
    up === undefined ||
    down === undefined ||
    !Number.isSafeInteger(experts) ||
    !hasUsualStack(modelType)
  )
    found.open.push(`how its experts are stacked in ${module} is not known`);
  else {
    const inLayers = (group: TensorGroup): TensorGroup => ({ ...group, copies: up.copies / experts });
    const outputs = 2 * (up.shape[0] ?? 0);
    const rank = adapter.rank * Math.max(olds.length, 1);
    // Parameters are wrapped in the order of their module.
    if (isUpMeant)
      add(job, inLayers(up), { module, name: names.gateUp, experts, outputs, depth: isDownMeant ? 1 : 0, rank }, found);
    if (isDownMeant)
      add(
        job,
        inLayers(down),
        { module, name: names.down, experts, outputs: down.shape[0] ?? 0, depth: 0, rank: adapter.rank },
        found,
      );
  }
}

function routerOf({ routers }: AdapterJob, groups: readonly TensorGroup[], module: string): TensorGroup | undefined {
  const block = module.slice(0, module.lastIndexOf('.') + 1);
  return groups.find(
    ({ name }) => name.startsWith(block) && name.endsWith('.weight') && routers.has(name.slice(0, -'.weight'.length)),
  );
}

interface ParameterSizes extends Pick<StackedParameter, 'experts' | 'outputs' | 'depth' | 'rank'> {
  module: string;
  name: string;
}

/** @param group has as many copies as there are layers with it */
function add(
  job: AdapterJob,
  group: TensorGroup,
  { module, name, rank: usual, ...sizes }: ParameterSizes,
  found: StackedParameters,
): void {
  const stack = stackOf(module);
  const { adapter } = job;
  const isPlaced = stack !== null && job.layers.get(stack) === group.copies && group.copies <= maximumLayers;
  if (!isPlaced) found.open.push(`which layers have ${name} is not known`);
  else if (adapter.kind !== 'lora' || adapter.hasAdapterBias === true || adapter.layers !== undefined)
    found.open.push(`adapters of this kind for ${name} are not compared`);
  else
    for (let layer = 0; layer < group.copies; layer++) {
      const own = nameAt(name, layer);
      const rank = job.ranks.find(({ target }) => target.matches(own, noGroup))?.rank ?? usual;
      found.stacked.push({ pattern: module, layer, rank, inputs: group.shape[1] ?? 0, group, ...sizes });
    }
}
