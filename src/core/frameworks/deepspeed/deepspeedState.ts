/** What the pickled states of a DeepSpeed rank say about the save (deepspeed/runtime/engine.py: _save_checkpoint, _get_all_zero_checkpoints). */
import { elementCount } from '../../bytes/checkedInteger.js';
import { argumentsOf, entriesOf, itemsOf, member, numbersOf } from '../../formats/pickle/pickleAccess.js';
import { PickleCall, type PickleValue } from '../../formats/pickle/pickleValue.js';
import { tensorOf } from '../../formats/torch/torchTensor.js';
import { isFloatDtype } from '../../tensors/dtype.js';
import { countOf } from '../../checkpoints/layouts/stateSteps.js';

/** Facts of one `*_model_states.pt`; null where the file does not say. */
export interface ModelState {
  step: number | null;
  dataParallel: number | null;
  modelParallel: number | null;
  tensorParallel: number | null;
  pipelineParallel: number | null;
  version: string | null;
  configuredStage: number | null;
  isElastic: boolean;
  /** What ds_to_universal.py needs below stage 3. */
  hasUniversalInfo: boolean;
  /** Experts of each MoE layer. */
  experts: number[];
}

export function modelStateOf(root: PickleValue): ModelState {
  const degrees = member(root, 'checkpoint_parallel_dimensions');
  const version = member(root, 'ds_version');
  const zero = member(member(root, 'ds_config'), 'zero_optimization');
  return {
    step: countOf(member(root, 'global_steps')),
    dataParallel: sizeOf(member(root, 'dp_world_size')),
    modelParallel: sizeOf(member(root, 'mp_world_size')),
    tensorParallel: sizeOf(member(degrees, 'tp_degree')),
    pipelineParallel: sizeOf(member(degrees, 'pp_degree')),
    version: typeof version === 'string' ? version : null,
    // Without the section ZeRO is off.
    configuredStage: member(root, 'ds_config') === undefined ? null : (countOf(member(zero, 'stage')) ?? 0),
    isElastic: member(zero, 'elastic_checkpoint') === true,
    hasUniversalInfo: (member(root, 'universal_checkpoint_info') ?? null) !== null,
    experts: numbersOf(member(root, 'num_experts')) ?? [],
  };
}

/** What the names and shapes in a model state amount to. */
export interface StatedParameters {
  count: number;
  frozen: number;
  /** Experts that this rank trains, of the first MoE layer. */
  localExperts: number;
}

/**
 * The parameters by the shapes that DeepSpeed notes for its conversion scripts: those of trained parameters by group, and those of frozen
 * ones; tied ones are noted once. Undefined where it notes none (without ZeRO) or a shape is damaged.
 * @param isReplica tells names that another rank's state counts
 */
export function statedParameters(root: PickleValue, isReplica: (name: string) => boolean): StatedParameters | undefined {
  const groups = itemsOf(member(root, 'param_shapes'));
  if (groups === undefined) return undefined;
  const frozen = elementsOf(member(root, 'frozen_param_shapes'), isReplica);
  let count = frozen ?? 0;
  const experts = new Set<string>();
  for (const group of groups) {
    const elements = elementsOf(group, isReplica);
    if (elements === undefined) return undefined;
    count += elements;
    for (const name of entriesOf(group)?.keys ?? []) {
      const expert = typeof name === 'string' ? /deepspeed_experts\.(\d+)\./.exec(name)?.[1] : undefined;
      if (expert !== undefined) experts.add(expert);
    }
  }
  count += unnamedWeights(root, groups, isReplica);
  return Number.isSafeInteger(count) ? { count, frozen: frozen ?? 0, localExperts: experts.size } : undefined;
}

/**
 * Elements of the module's weights that no shapes are noted for: ZeRO-1 notes those of trained parameters alone, so that the frozen ones
 * (all but the adapter, with LoRA) are in the module only. Buffers and tied weights are listed by name in the same state.
 */
function unnamedWeights(root: PickleValue, groups: readonly PickleValue[], isReplica: (name: string) => boolean): number {
  const named = new Set<PickleValue>(
    [...groups, member(root, 'frozen_param_shapes')].flatMap((shapes) => entriesOf(shapes)?.keys ?? []),
  );
  for (const name of itemsOf(member(root, 'buffer_names')) ?? []) named.add(name);
  for (const pair of itemsOf(member(root, 'shared_params')) ?? []) for (const name of itemsOf(pair) ?? []) named.add(name);
  for (const name of entriesOf(member(root, 'shared_params'))?.keys ?? []) named.add(name);
  const module = entriesOf(member(root, 'module'));
  const seen = new Set<string>();
  let count = 0;
  module?.keys.forEach((name, index) => {
    const tensor = tensorOf(module.values[index]);
    const [storage] = tensor?.storages ?? [];
    if (tensor === undefined || storage === undefined) return;
    // Tied weights are views of one storage.
    const place = `${storage.key}:${tensor.storageOffset}`;
    const isCounted = named.has(name) || seen.has(place) || (typeof name === 'string' && isReplica(name));
    if (!isCounted && isFloatDtype(tensor.dtype)) count += elementCount(tensor.shape) ?? 0;
    seen.add(place);
  });
  return count;
}

/** What the model states note of the weights by name. */
export interface StatedForms {
  shapes: Map<string, readonly number[]>;
  /** Buffers and tied weights, of which no shapes are noted. */
  others: Set<string>;
}

/** The shapes of trained and frozen parameters in the model states, and the names of what else a module saves. */
export function statedForms(roots: readonly PickleValue[]): StatedForms {
  const forms: StatedForms = { shapes: new Map(), others: new Set() };
  for (const root of roots) {
    for (const group of [...(itemsOf(member(root, 'param_shapes')) ?? []), member(root, 'frozen_param_shapes')]) {
      const entries = entriesOf(group);
      entries?.keys.forEach((name, index) => {
        const shape = numbersOf(entries.values[index]);
        if (typeof name === 'string' && shape !== undefined) forms.shapes.set(name, shape);
      });
    }
    const others = [
      ...(itemsOf(member(root, 'buffer_names')) ?? []),
      ...(itemsOf(member(root, 'shared_params')) ?? []).flatMap((pair) => itemsOf(pair) ?? []),
      ...(entriesOf(member(root, 'shared_params'))?.keys ?? []),
    ];
    for (const name of others) if (typeof name === 'string') forms.others.add(name);
  }
  return forms;
}

/** Elements of the shapes in a dict by name. */
function elementsOf(shapes: PickleValue | undefined, isReplica: (name: string) => boolean): number | undefined {
  const entries = entriesOf(shapes);
  if (entries === undefined) return undefined;
  let sum = 0;
  for (const [index, shape] of entries.values.entries()) {
    const name = entries.keys[index];
    const sizes = numbersOf(shape);
    const elements = sizes === undefined ? undefined : elementCount(sizes);
    if (elements === undefined) return undefined;
    if (typeof name !== 'string' || !isReplica(name)) sum += elements;
  }
  return sum;
}

/** Facts of one `*_optim_states.pt`. */
export interface ShardState {
  zeroStage: number | null;
  /** The optimizer's own step, where it is stored as a plain number. */
  step: number | null;
  /** Ranks that the states are partitioned over: of the largest group, as those of experts are over fewer. */
  partitions: number | null;
}

export function shardStateOf(root: PickleValue): ShardState {
  const state = member(root, 'optimizer_state_dict');
  const [group] =
    itemsOf(member(member(state, 'base_optimizer_state') ?? member(state, 'optimizer_state_dict'), 'param_groups')) ?? [];
  return {
    zeroStage: stageOf(member(state, 'zero_stage')),
    step: countOf(member(group, 'step')),
    partitions: partitionsOf(state),
  };
}

/** Facts of `zero/optimizer_state.pt` of a universal checkpoint, which has the state of a shard at its root. */
export function universalStateOf(root: PickleValue | undefined): Pick<ShardState, 'zeroStage' | 'partitions'> {
  return { zeroStage: stageOf(member(root, 'zero_stage')), partitions: partitionsOf(root) };
}

/** Stages 1 and 2 store a number for each group, stage 3 one (`partition_count`: stage_1_and_2.py, stage3.py). */
function partitionsOf(state: PickleValue | undefined): number | null {
  const stored = member(state, 'partition_count');
  const largest = (numbersOf(stored) ?? []).reduce((most, count) => Math.max(most, count), 0);
  return Number.isSafeInteger(largest) && largest > 0 ? largest : sizeOf(stored);
}

/** Members of deepspeed.runtime.zero.config.ZeroStageEnum, as CPython 3.11 names them. */
const stageNames = ['disabled', 'optimizer_states', 'gradients', 'weights'];

function stageOf(value: PickleValue | undefined): number | null {
  if (!(value instanceof PickleCall)) return countOf(value);
  const last = argumentsOf(value).at(-1);
  if (typeof last === 'string') return stageNames.includes(last) ? stageNames.indexOf(last) : null;
  return countOf(last);
}

/** A number of ranks: 1 at least. */
function sizeOf(value: PickleValue | undefined): number | null {
  const count = countOf(value);
  return count === 0 ? null : count;
}
