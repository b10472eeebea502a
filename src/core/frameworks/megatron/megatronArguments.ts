import { member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import type { ModelSizes, Topology } from '../../checkpoints/checkpointReport.js';

/** The sizes of a job from Megatron's arguments (an argparse.Namespace, megatron/training/arguments.py). */
export function readMegatronArguments(args: PickleValue | undefined): Omit<Topology, 'zeroStage'> {
  const count = (key: string): number | null => countIn(args, key);
  return {
    worldSize: count('world_size'),
    dataParallel: count('data_parallel_size'),
    tensorParallel: count('tensor_model_parallel_size'),
    pipelineParallel: count('pipeline_model_parallel_size'),
    expertParallel: count('expert_model_parallel_size'),
  };
}

/** What bounds the parallel sizes of a job: Megatron wants the heads divisible by the tensor-parallel size, query groups a multiple or divisor of it, and layers for each stage. */
export function readModelSizes(args: PickleValue | undefined): ModelSizes {
  // The argument has a default, which holds where groups are on.
  const queryGroups = member(args, 'group_query_attention') === true ? countIn(args, 'num_query_groups') : null;
  return { attentionHeads: countIn(args, 'num_attention_heads'), queryGroups, layers: countIn(args, 'num_layers') };
}

/** A positive integer among the arguments; null for anything else. */
export function countIn(args: PickleValue | undefined, key: string): number | null {
  const value = member(args, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
