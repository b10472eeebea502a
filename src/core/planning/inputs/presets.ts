/** Models to begin a plan with. */
import type { PlanDocument } from './planDocument.js';
import { presetNames, type PresetId } from './presetNames.js';
import { planKeys, type PlanInputs, type PlanKey } from './planInputs.js';

export interface PlanPreset {
  id: PresetId;
  /** What the numbers are of. */
  source: string;
  inputs: Partial<PlanInputs>;
}

const hour = 3600;
const day = 24 * hour;

export const planPresets: readonly PlanPreset[] = [
  {
    id: '7b',
    source: 'Llama 2 7B',
    inputs: {
      parameters: 6_738_415_616,
      gpus: 32,
      zeroStage: '3',
      layers: 32,
      hiddenSize: 4096,
      attentionHeads: 32,
      sequenceLength: 4096,
      bytesPerToken: 2,
      tokens: 2e12,
      runSeconds: 60 * day,
    },
  },
  {
    id: '8b',
    source: 'Llama 3 8B',
    inputs: {
      parameters: 8_030_261_248,
      gpus: 64,
      zeroStage: '3',
      layers: 32,
      hiddenSize: 4096,
      attentionHeads: 32,
      tokens: 15e12,
      runSeconds: 90 * day,
    },
  },
  {
    id: '70b',
    source: 'Llama 3 70B',
    inputs: {
      parameters: 70_553_706_496,
      gpus: 512,
      tensorParallel: 8,
      pipelineParallel: 4,
      zeroStage: '1',
      layers: 80,
      hiddenSize: 8192,
      attentionHeads: 64,
      tokens: 15e12,
      runSeconds: 90 * day,
    },
  },
  {
    id: '405b',
    source: 'Llama 3 405B: 54 days on 16,384 H100, TP 8, PP 16, DP 128 by FSDP, 1 MB to 4 GB saved by each GPU',
    inputs: {
      parameters: 405_853_388_800,
      gpus: 16_384,
      tensorParallel: 8,
      pipelineParallel: 16,
      zeroStage: '3',
      failureRate: 'llama3',
      stallSeconds: 5,
      layers: 126,
      hiddenSize: 16_384,
      attentionHeads: 128,
      tokens: 15.6e12,
      runSeconds: 54 * day,
    },
  },
  {
    id: '1t-moe',
    source: 'Kimi K2: 1.03 T parameters, 32.9 B of them active',
    inputs: {
      parameters: 1_026_408_232_448,
      activeParameters: 32_862_000_000,
      gpus: 4096,
      tensorParallel: 1,
      pipelineParallel: 16,
      expertParallel: 16,
      zeroStage: '1',
      layers: 61,
      hiddenSize: 7168,
      attentionHeads: 64,
      tokens: 15.5e12,
      runSeconds: 90 * day,
    },
  },
  {
    id: 'megatron-1t',
    source: 'Narayanan et al., SC21, section 5.10: TP 8, PP 64, DP 6, 273 GB/s, saved every 4 hours',
    inputs: {
      parameters: 1_008_038_707_200,
      checkpointBytes: 13_800_000_000_000,
      gpus: 3072,
      tensorParallel: 8,
      pipelineParallel: 64,
      saveMode: 'synchronous',
      writeBytesPerSecond: 273e9,
      readBytesPerSecond: 1e12,
      intervalSeconds: 4 * hour,
      layers: 128,
      hiddenSize: 25_600,
      attentionHeads: 160,
      sequenceLength: 2048,
      bytesPerToken: 2,
    },
  },
];

/** @returns null for an id that there is not */
export function presetOf(id: string): PlanPreset | null {
  return planPresets.find((preset) => preset.id === id) ?? null;
}

/** A plan of a preset: each number says where it is from. */
export function documentOfPreset({ id, source, inputs }: PlanPreset): PlanDocument {
  const keys: PlanKey[] = planKeys.filter((key) => inputs[key] !== undefined);
  return {
    name: presetNames.find((preset) => preset.id === id)?.name ?? id,
    inputs,
    origins: Object.fromEntries(keys.map((key) => [key, { kind: 'preset', text: source }])),
    measured: [],
    saved: [],
  };
}
