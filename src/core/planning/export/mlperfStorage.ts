/** MLPerf Storage v2’s checkpointing workload that is nearest to a plan. Its models are fixed, so what differs is said above it. */
import { counted, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { yamlDocument } from '../../text/yamlText.js';
import type { PlanDocument } from '../inputs/planDocument.js';
import type { StoragePlan } from '../storagePlan.js';
import { mlperfVocabulary, nearestWorkload, type MlperfWorkload } from './mlperfWorkloads.js';
import { usualCheckpoints, workloadOf } from './workload.js';

/** Between two checkpoints, in the rules of v2.0. */
const pauseSeconds = 5;

/** The workload’s YAML. */
export function mlperfStorageWorkload(plan: StoragePlan, { name }: Pick<PlanDocument, 'name'>): string {
  const workload = nearestWorkload(plan.size.checkpointBytes);
  const { id, processes } = workload;
  return yamlDocument(
    [
      `MLPerf Storage v2.0, checkpointing: ${id}, whose checkpoint is nearest in size to that of the plan ${name}.`,
      `mlpstorage checkpointing run --model ${id} --num-processes ${processes} --hosts HOST... --client-host-memory-in-gb GB --checkpoint-folder DIRECTORY`,
      'The closed division takes these values as they are, but for the folder. The plan differs:',
      ...differences(workload, plan),
    ],
    workloadOf(modelOf(workload), {
      checkpoint_folder: `checkpoints/${workload.name}`,
      time_between_checkpoints: pauseSeconds,
      num_checkpoints_write: usualCheckpoints,
      num_checkpoints_read: usualCheckpoints,
      fsync: true,
    }),
  );
}

/** The `model` section of a workload, as DLIO’s own files have it. */
export function modelOf(workload: MlperfWorkload) {
  return {
    name: workload.name,
    type: 'transformer',
    num_layers: workload.layers,
    model_datatype: 'fp16',
    optimizer_datatype: 'fp32',
    parallelism: { tensor: workload.tensorParallel, pipeline: workload.pipelineParallel, zero_stage: workload.zeroStage },
    transformer: {
      vocab_size: mlperfVocabulary,
      hidden_size: workload.hiddenSize,
      ffn_hidden_size: workload.feedForwardSize,
      num_attention_heads: workload.heads,
      num_kv_heads: workload.keyValueHeads,
    },
  };
}

/** `what: plan’s, here`, of what is not the same. */
function differences(workload: MlperfWorkload, plan: StoragePlan): string[] {
  const { inputs, save, size, retention } = plan;
  const sharding = (tensor: number, pipeline: number, zero: number | string): string =>
    `TP ${tensor}, PP ${pipeline}, ZeRO ${zero}`;
  const rows: [string, string, string][] = [
    ['parameters', formatCount(inputs.parameters), formatCount(workload.size.parameters)],
    ['checkpoint', formatBytes(size.checkpointBytes), formatBytes(workload.size.bytes)],
    ['processes', formatCount(save.topology.gpus), formatCount(workload.processes)],
    [
      'sharding',
      sharding(save.topology.tensorParallel, save.topology.pipelineParallel, inputs.zeroStage),
      sharding(workload.tensorParallel, workload.pipelineParallel, workload.zeroStage),
    ],
    ['layers', formatCount(inputs.layers), formatCount(workload.layers)],
    ['hidden size', formatCount(inputs.hiddenSize), formatCount(workload.hiddenSize)],
    [
      'pause',
      shortTime(retention.storeIntervalSeconds),
      `${shortTime(pauseSeconds)}, so that drains and caches of longer pauses do not show`,
    ],
  ];
  const told = rows.filter(([, own, here]) => own !== here).map(([what, own, here]) => `- ${what}: ${own}, here ${here}`);
  return [
    ...told,
    `- room: ${counted(usualCheckpoints, 'checkpoint')} here take ${formatBytes(usualCheckpoints * workload.size.bytes)}, as none is deleted`,
  ];
}
