/** Training runs of which something was published, and what a plan makes of their public inputs alone. */
import { makePlan, type StoragePlan } from '../../src/core/planning/storagePlan.js';
import type { PlanInputs } from '../../src/core/planning/inputs/planInputs.js';

const hour = 3600;
const day = 24 * hour;
const TiB = 2 ** 40;

/** What was published; null for what was not. */
export interface PublishedRun {
  name: string;
  inputs: Partial<PlanInputs>;
  checkpointBytes: number | null;
  intervalSeconds: number | null;
  /** Of a save, over the whole storage. */
  writeBytesPerSecond: number | null;
  /** Mean time between failures that ended the job. */
  mtbfSeconds: number | null;
  source: string;
  /** Why plan and publication differ, or what there is to compare. */
  remark: string;
}

export const trainingRuns: readonly PublishedRun[] = [
  {
    name: 'OPT-175B',
    inputs: { parameters: 174_604_468_224, recipe: 'bf16-adam', gpu: 'a100', gpus: 992, tensorParallel: 8, zeroStage: '3' },
    checkpointBytes: 992 * 1.7e9,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: (60 * day) / (35 + 70),
    source:
      'metaseq, update at 27 %: 992 files of about 1.7 GB; Zhang et al. 2022, 2.5: at least 35 manual and some 70 automatic restarts in 2 months',
    remark:
      'The plan counts 10 bytes a parameter (no 32-bit copy), the files come to 9.7. The job failed 3.7 times as often as 1/N of Llama 3’s rate suggests, which is Meta’s factor at 1,024 GPUs.',
  },
  {
    name: 'BLOOM 176B',
    inputs: {
      parameters: 176_247_271_424,
      gpu: 'a100',
      gpus: 384,
      tensorParallel: 4,
      pipelineParallel: 12,
      zeroStage: '1',
      saveMode: 'synchronous',
      writeBytesPerSecond: (2.3 * TiB) / 40,
    },
    checkpointBytes: 2.3 * TiB,
    intervalSeconds: 3 * hour,
    writeBytesPerSecond: (2.3 * TiB) / 40,
    mtbfSeconds: (7 * day) / 1.5,
    source: 'BigScience, tr11-176B-ml (2022): 2.3T in 40 s every 3 h; BLOOM (2022), 3.4: 1 to 2 GPU failures a week',
    remark:
      '2.4 % less than `du` shows, which counts the directory. Failures are within the published 1 to 2 a week; the run saved more rarely than is best, and lost 0.2 % by it.',
  },
  {
    name: 'Megatron-LM 1T',
    inputs: {
      parameters: 1_008_038_707_200,
      gpu: 'a100',
      gpus: 3072,
      tensorParallel: 8,
      pipelineParallel: 64,
      saveMode: 'synchronous',
      writeBytesPerSecond: 273e9,
    },
    checkpointBytes: 13.8e12,
    intervalSeconds: null,
    writeBytesPerSecond: 273e9,
    mtbfSeconds: null,
    source: 'Narayanan et al., SC21, 5.10: 13.8 TB, saved at 273 GB/s',
    remark: '2.3 % more: 13.7 bytes a parameter were written, the plan counts 14.',
  },
  {
    name: 'Llama 3 405B',
    inputs: {
      parameters: 405_853_388_800,
      gpu: 'h100',
      gpus: 16_384,
      tensorParallel: 8,
      pipelineParallel: 16,
      zeroStage: '3',
    },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: (54 * day) / 419,
    source:
      'The Llama 3 Herd of Models (2024), 3.3: 419 unexpected interruptions in 54 days; 1 MB to 4 GB saved by each GPU; storage of 2 TB/s',
    remark:
      'The failure rate is this run’s own. 347 MB for each GPU are within what was published, and the bandwidth is an eleventh of what the storage had.',
  },
  {
    name: 'MegaScale 175B',
    inputs: { parameters: 175e9, gpu: 'a100', gpus: 12_288, tensorParallel: 8, pipelineParallel: 8, zeroStage: '2' },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source:
      'Jiang et al., NSDI 2024: over 100 recoveries in several weeks, back within 15 minutes, over 90 % of the time effective',
    remark: 'At the plan’s rate 100 failures take 17 days, which fits “several weeks”.',
  },
  {
    name: 'PaLM 540B',
    inputs: {
      parameters: 540_350_000_000,
      recipe: 'f32-adam',
      gpu: 'tpu-v4',
      gpus: 6144,
      gpusPerNode: 4,
      tensorParallel: 12,
      shardDegree: 256,
      zeroStage: '3',
      tokensPerStep: 4 * 2 ** 20,
    },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source: 'Chowdhery et al. 2022: 6,144 TPU v4, Adafactor without factoring, restarts from about 100 steps before a loss spike',
    remark: '100 steps are half an hour: runs went back three times as far as the plan’s interval.',
  },
  {
    name: 'GLM-130B',
    inputs: { parameters: 130e9, gpu: 'a100-40', gpus: 768, tensorParallel: 4, pipelineParallel: 8, zeroStage: '1' },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source: 'Zeng et al., ICLR 2023: 96 nodes of 8 A100 40 GB, 60 days',
    remark: 'Only the machine and the parallel sizes are published.',
  },
  {
    name: 'Falcon-180B',
    inputs: { parameters: 180e9, gpu: 'a100-40', gpus: 4096, tensorParallel: 8, pipelineParallel: 8, zeroStage: '1' },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source: 'Almazrouei et al. 2023: up to 4,096 A100 40 GB, TP 8, PP 8, ZeRO',
    remark: 'Only the machine and the parallel sizes are published.',
  },
  {
    name: 'MPT-7B',
    // Lion: 32-bit weights and one moment.
    inputs: { parameters: 6_649_286_656, bytesPerParameter: 8, gpu: 'a100-40', gpus: 440, zeroStage: '3' },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: (9.5 * day) / 4,
    source: 'MosaicML, Introducing MPT-7B (May 2023): 440 A100 40 GB, 9.5 days, Lion, 4 hardware failures',
    remark: '4 failures are few to count by, and half the time that 1/N suggests: small jobs fail more often.',
  },
  {
    name: 'DBRX',
    inputs: { parameters: 132e9, activeParameters: 36e9, recipe: 'f32-adam', gpu: 'h100', gpus: 3072, zeroStage: '3' },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source: 'Databricks, Introducing DBRX (March 2024): 3,072 H100, three months',
    remark: 'Only the machine is published; Adam in 32 bits is assumed.',
  },
  {
    name: 'Nemotron-4 340B',
    inputs: {
      parameters: 341e9,
      gpu: 'h100',
      gpus: 6144,
      tensorParallel: 8,
      pipelineParallel: 12,
      zeroStage: '1',
      stepSeconds: 8,
    },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source: 'NVIDIA 2024: 768 DGX H100, TP 8, PP 12, a distributed optimizer, 8 s a step',
    remark: 'Only the machine, the parallel sizes and the step are published.',
  },
  {
    name: 'DeepSeek-V3',
    inputs: {
      parameters: 671_026_419_200,
      activeParameters: 37e9,
      bytesPerParameter: 10,
      gpus: 2048,
      pipelineParallel: 16,
      expertParallel: 64,
      zeroStage: '1',
    },
    checkpointBytes: null,
    intervalSeconds: 300,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source:
      'DeepSeek-V3 (December 2024): 2,048 H800, PP 16, EP 64, ZeRO 1, BF16 moments beside FP32 weights; An et al., SC24: saves every 5 minutes on their clusters',
    remark:
      'Every 5 minutes is best at a stall of 0.5 s; the plan assumes 5 s. Checkpoints of the run itself are not published: 10 bytes are weights, 32-bit copy and BF16 moments.',
  },
  {
    name: 'OLMo 2 13B',
    inputs: { parameters: 13_716_198_400, recipe: 'f32-adam', zeroStage: '3' },
    checkpointBytes: null,
    intervalSeconds: null,
    writeBytesPerSecond: null,
    mtbfSeconds: null,
    source: 'AI2, OLMo-core configs (2024): every 1,000 steps for ever, every 250 until the next',
    remark: 'The configs name no number of GPUs, so that only the size follows.',
  },
];

/** A plan of the public inputs alone. */
export function planOfRun({ inputs }: PublishedRun): StoragePlan {
  return makePlan({ inputs, measured: [], saved: [] });
}
