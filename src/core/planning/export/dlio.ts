/**
 * A plan as a workload of DLIO, with the plan’s own bytes for each process (dlio_benchmark/checkpointing/base_checkpointing.py). DLIO counts a
 * transformer’s bytes itself from five sizes, of which a plan has two: where these are of a model that MLPerf Storage lists, its sizes are
 * taken. Otherwise bytes are given as DLIO takes them: `layer_parameters` of a layer, `optimization_groups` of a process, three times each.
 */
import { counted, shortTime } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import { yamlDocument } from '../../text/yamlText.js';
import type { PlanDocument } from '../inputs/planDocument.js';
import type { StoragePlan } from '../storagePlan.js';
import { exportName } from './exportName.js';
import { modelOf } from './mlperfStorage.js';
import { mlperfVocabulary, mlperfWorkloads, type MlperfWorkload } from './mlperfWorkloads.js';
import { usualCheckpoints, workloadOf } from './workload.js';

/** The workload’s YAML. */
export function dlioWorkload(plan: StoragePlan, { name: title }: Pick<PlanDocument, 'name'>): string {
  const name = exportName(title);
  const parallelism = parallelismOf(plan);
  const { tensor, pipeline, data } = parallelism;
  const processes = tensor * pipeline * data;
  const listed = listedModel(plan);
  const checkpoints = checkpointsAtOnce(plan);
  const seconds = Math.max(1, Math.round(plan.retention.storeIntervalSeconds));
  return yamlDocument(
    [
      `DLIO workload of the storage plan ${title}: ${counted(checkpoints, 'checkpoint')} of ${formatBytes(plan.size.checkpointBytes)}, ${shortTime(seconds)} apart.`,
      `mpirun -np ${processes} dlio_benchmark workload=${name} --config-dir=FOLDER, with this file as FOLDER/workload/${name}.yaml`,
      'Needs the DLIO of MLPerf Storage v2.0 or later: version 2.0.0 does not read these keys of model.',
      `For fewer processes set checkpoint.mode to subset and model.parallelism.data to ${data}.`,
      `checkpoint_folder: a directory of the storage; a relative one begins where DLIO starts. None is deleted: ${formatBytes(checkpoints * plan.size.checkpointBytes)} in all.`,
      ...notes(plan, parallelism, listed),
    ],
    workloadOf(
      {
        name,
        ...(listed === null ? bytesOf(plan, parallelism) : ownModel(listed, plan)),
        parallelism: { tensor, pipeline, zero_stage: Number(plan.inputs.zeroStage) },
      },
      {
        checkpoint_folder: `checkpoints/${name}`,
        time_between_checkpoints: seconds,
        num_checkpoints_write: checkpoints,
        num_checkpoints_read: checkpoints,
        mode: 'default',
        fsync: true,
      },
    ),
  );
}

interface Parallelism {
  tensor: number;
  pipeline: number;
  data: number;
}

/** DLIO refuses ZeRO 3 with pipeline stages: as many processes share the same bytes without. */
function parallelismOf({ inputs, save: { topology } }: StoragePlan): Parallelism {
  const { tensorParallel: tensor, pipelineParallel: pipeline, dataParallel: data } = topology;
  return inputs.zeroStage === '3' ? { tensor, pipeline: 1, data: data * pipeline } : { tensor, pipeline, data };
}

function notes({ save: { topology } }: StoragePlan, parallelism: Parallelism, listed: MlperfWorkload | null): string[] {
  return [
    ...(listed === null ? ['layer_parameters are bytes of a layer, optimization_groups a third of the bytes of a process.'] : []),
    ...(parallelism.pipeline === topology.pipelineParallel
      ? []
      : [`Pipeline stages (${topology.pipelineParallel}) are counted as data parallel, as DLIO refuses them with ZeRO 3.`]),
    ...(topology.expertParallel === 1 ? [] : ['DLIO has no expert parallelism: experts are written as other weights are.']),
    ...(topology.product === null
      ? []
      : [`The plan has ${counted(topology.gpus, 'GPU')}, and these sizes make another number of processes.`]),
  ];
}

/** As many as the plan has at once, so that no more room is taken; DLIO reads as many as it writes. */
function checkpointsAtOnce({ size, retention }: StoragePlan): number {
  const peakBytes = retention.places.find(({ place }) => place === 'store')?.peakBytes ?? 0;
  return Math.max(1, Math.min(usualCheckpoints, Math.round(peakBytes / size.checkpointBytes)));
}

/** A listed model with the same number of layers and width, saved as DLIO saves transformers: 2 bytes of weights and 12 of state a parameter. */
function listedModel({ inputs, size }: StoragePlan): MlperfWorkload | null {
  if (size.basis !== 'recipe' || inputs.recipe !== 'mixed-adam') return null;
  const isSame = (listed: MlperfWorkload): boolean =>
    listed.layers === inputs.layers &&
    listed.hiddenSize === inputs.hiddenSize &&
    Math.abs(inputs.parameters / parametersOf(listed, inputs.attentionHeads) - 1) < sameModel;
  return mlperfWorkloads.find(isSame) ?? null;
}

/** As DLIO counts them with so many heads, keys and values of the listed model's (checkpointing/base_checkpointing.py, get_num_parameters). */
function parametersOf({ layers, hiddenSize, feedForwardSize, keyValueHeads }: MlperfWorkload, heads: number): number {
  const keysSize = Math.floor(hiddenSize / heads) * keyValueHeads;
  const layer = 2 * hiddenSize + hiddenSize * (2 * hiddenSize + 2 * keysSize) + 3 * feedForwardSize * hiddenSize;
  return 2 * mlperfVocabulary * hiddenSize + layers * layer + hiddenSize;
}

/** MLPerf’s 70B has heads of half the width, which takes 0.95 % of the parameters. */
const sameModel = 0.01;

function ownModel(listed: MlperfWorkload, { inputs }: StoragePlan) {
  const { name: _name, transformer, ...model } = modelOf(listed);
  return { ...model, transformer: { ...transformer, num_attention_heads: inputs.attentionHeads } };
}

/** DLIO writes weights once, by ZeRO 3 a share on each replica; optimizer state on the first replica alone without ZeRO, else a share on each. */
function bytesOf({ inputs, size }: StoragePlan, { tensor, pipeline, data }: Parallelism) {
  const layers = Math.max(inputs.layers, pipeline);
  const layerShares = inputs.zeroStage === '3' ? data : 1;
  const optimizerShares = tensor * pipeline * (inputs.zeroStage === '0' ? 1 : data);
  return {
    type: 'transformer',
    num_layers: layers,
    layer_parameters: [Math.round(size.weightBytes / layers / layerShares)],
    optimization_groups: [Math.round((size.checkpointBytes - size.weightBytes) / optimizerShares / 3)],
  };
}
