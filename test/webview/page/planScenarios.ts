/** Plans that the host of a page has, each as the text of its file. */
import { writePlanFile } from '../../../src/core/planning/inputs/writePlanFile.js';
import type { PlanDocument } from '../../../src/core/planning/inputs/planDocument.js';
import { documentOfPreset, presetOf } from '../../../src/core/planning/inputs/presets.js';
import { hostileTexts } from '../../builders/hostileReport.js';

/** Every state that the page of a plan can be in. */
export const planScenarios = [
  'plan',
  'plan-405b',
  'plan-measured',
  'plan-impossible',
  'plan-problems',
  'plan-broken',
  'plan-newer',
  'plan-hostile',
] as const;

export type PlanScenario = (typeof planScenarios)[number];

export function isPlanScenario(name: string | null): name is PlanScenario {
  return (planScenarios as readonly (string | null)[]).includes(name);
}

/** The file that a scenario begins with. */
export function planFileOf(scenario: PlanScenario): { fileName: string; text: string } {
  switch (scenario) {
    case 'plan':
      return { fileName: 'new.stowage-plan.json', text: writePlanFile({ ...empty, name: '' }) };
    case 'plan-405b':
      return { fileName: 'llama-405b.stowage-plan.json', text: writePlanFile(preset('405b')) };
    case 'plan-measured':
      return { fileName: 'global_step1000.stowage-plan.json', text: writePlanFile(measured) };
    case 'plan-impossible':
      return { fileName: 'slow.stowage-plan.json', text: writePlanFile(impossible()) };
    case 'plan-problems':
      return { fileName: 'edited.stowage-plan.json', text: withProblems };
    case 'plan-broken':
      return { fileName: 'broken.stowage-plan.json', text: '{ "kind": "stowage-plan", "schemaVersion": 1, "inputs": {' };
    case 'plan-newer':
      return { fileName: 'newer.stowage-plan.json', text: '{ "kind": "stowage-plan", "schemaVersion": 7, "inputs": {} }' };
    case 'plan-hostile':
      return { fileName: hostileTexts.bidi, text: writePlanFile(hostile) };
  }
}

const empty: PlanDocument = { name: '', inputs: {}, origins: {}, measured: [], saved: [] };

function preset(id: string): PlanDocument {
  const found = presetOf(id);
  if (found === null) throw new Error(`there is no preset ${id}`);
  return documentOfPreset(found);
}

/** As the report of a ZeRO-2 checkpoint gives it. */
const measured: PlanDocument = {
  name: 'global_step1000',
  inputs: { parameters: 8_030_261_248, checkpointBytes: 128_484_179_968, gpus: 8, zeroStage: '2', dataParallel: 8 },
  origins: {
    parameters: { kind: 'measured', text: 'counted from the tensors of global_step1000' },
    checkpointBytes: { kind: 'measured', text: 'the files of global_step1000' },
    gpus: { kind: 'read', text: 'ds_config.json' },
    zeroStage: { kind: 'read', text: 'ds_config.json' },
    dataParallel: { kind: 'measured', text: 'shards of the optimizer' },
  },
  measured: [
    { label: 'weights', bytes: 32_121_044_992, isWeights: true },
    { label: 'master weights', bytes: 32_121_044_992, isWeights: false },
    { label: 'optimizer', bytes: 64_242_089_984, isWeights: false },
  ],
  saved: [
    {
      path: 'global_step800',
      step: 800,
      bytes: 128_484_179_968,
      savedAtSeconds: 1_790_000_000,
      isFinished: true,
      isLatest: false,
    },
    {
      path: 'global_step900',
      step: 900,
      bytes: 90_000_000_000,
      savedAtSeconds: 1_790_003_600,
      isFinished: false,
      isLatest: false,
    },
    {
      path: 'global_step1000',
      step: 1000,
      bytes: 128_484_179_968,
      savedAtSeconds: 1_790_007_200,
      isFinished: true,
      isLatest: true,
    },
  ],
};

/** 5.68 TB every minute through 2 GB/s. */
function impossible(): PlanDocument {
  const base = preset('405b');
  return { ...base, inputs: { ...base.inputs, intervalSeconds: 60, writeBytesPerSecond: 2e9 } };
}

/** As people edit it: a name that there is not, a text for a number, values out of their limits. */
const withProblems = JSON.stringify({
  kind: 'stowage-plan',
  schemaVersion: 1,
  name: 'edited by hand',
  inputs: { parameters: -1, gpus: '16k', overlapTarget: 2, saveMode: 'sometimes', speed: 3, tensorParallel: 8 },
});

const hostile: PlanDocument = {
  name: `${hostileTexts.bidi}${hostileTexts.image}`,
  inputs: { parameters: 1e9, checkpointBytes: 14_000_000_000, gpus: 16 },
  origins: Object.fromEntries(
    Object.values(hostileTexts)
      .slice(0, 3)
      .map((text, index) => [['parameters', 'checkpointBytes', 'gpus'][index] ?? 'gpus', { kind: 'read', text }]),
  ),
  measured: Object.values(hostileTexts).map((label, index, all) => ({
    label,
    bytes: index === 0 ? 14_000_000_000 - (all.length - 1) * 1000 : 1000,
    isWeights: index === 0,
  })),
  saved: Object.values(hostileTexts).map((path, step) => ({
    path,
    step,
    bytes: 1e9,
    savedAtSeconds: 1_790_000_000 + step,
    isFinished: true,
    isLatest: false,
  })),
};
