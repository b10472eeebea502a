/** What a GPU's memory holds while a model trains, which of it a checkpoint has, and what offloading moves. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../../planning/inputs/planInputs.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import type { ActivationChoice } from '../../../planning/training/activations.js';
import type { MemoryRow, MemoryWay } from '../../../planning/training/memory.js';
import { formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { counted, shortParameters, shortShare, shortTimes } from '../../../text/quantities.js';
import type { PlanSection } from '../planSection.js';
import type { BarChart } from '../../chart.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { statementKind } from '../statementKind.js';
import { offloadNotes, offloadStatement, offloadTable } from './offloadWords.js';

export function memorySection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'memory',
    title: 'Memory while training',
    lead: lead(plan, document),
    more: [saved(plan, document), activations(plan, document), ...offloadStatement(plan, document)],
    charts: [chart(plan)],
    tables: [waysTable(plan), activationsTable(plan), rulesTable(plan), offloadTable(plan)],
    notes: [...notes(plan), ...offloadNotes(plan)],
  };
}

const memoryKeys = [
  'parameters',
  'recipe',
  'layers',
  'hiddenSize',
  'sequenceLength',
  'microBatch',
] as const satisfies readonly PlanKey[];

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { memory, inputs, save } = plan;
  const { planned, perParameter } = memory;
  const fits = planned.fits
    ? `fit into ${formatBytes(inputs.deviceMemoryBytes)}`
    : `do not fit into ${formatBytes(inputs.deviceMemoryBytes)}`;
  const { tensorParallel, pipelineParallel, dataParallel } = save.topology;
  return {
    amount: formatBytes(planned.totalBytes),
    text: `on each GPU ${fits}: ${formatBytes(planned.weightBytes)} weights, ${formatBytes(planned.gradientBytes)} gradients, ${formatBytes(planned.optimizerBytes)} optimizer, ${formatBytes(planned.activationBytes)} activations`,
    detail: `${planned.fits ? chosenStage(plan, document) : smallestThatFits(memory.rows)}Without buffers and fragments, which take another few GB.`,
    kind: statementKind(document, memoryKeys),
    derivation: {
      formula:
        inputs.tuning !== 'full'
          ? 'weights ÷ (TP × PP), ÷ DP at ZeRO 3, and 16 bytes for each parameter of the adapter'
          : `(w + g + o) × P ÷ (TP × PP)${inputs.expertParallel > 1 ? ', experts ÷ EP' : ''}, each of w, g and o ÷ DP from the ZeRO stage on that shards it, and activations`,
      steps: [
        `${shortParameters(inputs.parameters)} ÷ (${formatCount(tensorParallel)} × ${formatCount(pipelineParallel)})${inputs.expertParallel > 1 ? `, what a token does not pass ÷ ${formatCount(inputs.expertParallel)} as well` : ''} = ${shortParameters(Math.round(memory.shardParameters))} on a GPU`,
        `w ${shortNumber(perParameter.weights)} B, g ${shortNumber(perParameter.gradients)} B, o ${shortNumber(perParameter.optimizer)} B a parameter; DP ${formatCount(dataParallel)}, ZeRO ${inputs.zeroStage}`,
      ],
      source: 'ZeRO (Rajbhandari et al. 2020); activations: Korthikanti et al. 2022, of a dense model',
    },
  };
}

/** Why the stage is what it is, where nobody gave one. */
function chosenStage({ inputs }: StoragePlan, document: PlanDocument): string {
  return inputs.zeroStage === '0' || document.inputs.zeroStage !== undefined
    ? ''
    : `ZeRO ${inputs.zeroStage} is the least that fits, and assumed. `;
}

function smallestThatFits(rows: readonly MemoryRow[]): string {
  const fit = rows.find(({ fits, way }) => fits && way.startsWith('zero'));
  return fit === undefined ? '' : `${wayNames[fit.way]} would fit. `;
}

/** Memory beside the checkpoint: what is volatile, what is saved. */
function saved(plan: StoragePlan, document: PlanDocument): Statement {
  const { memory, size } = plan;
  const { weights, gradients, optimizer } = memory.perParameter;
  return {
    amount: `${shortNumber(weights + optimizer)} of ${shortNumber(weights + gradients + optimizer)} bytes`,
    text: 'a parameter are saved: weights and optimizer state; gradients and activations are volatile',
    detail: `${size.basis === 'adapters' ? 'Of an adapter, that is of its own parameters alone.' : `A checkpoint has ${formatBytes(size.checkpointBytes)} of it.`} The rule of 16 is one of memory, 14 one of checkpoints; Megatron sums gradients in 32 bits and needs 18.`,
    kind: statementKind(document, ['recipe']),
    derivation: {
      formula: 'memory = w + g + o, checkpoint = w + o',
      steps: [
        `${shortNumber(weights)} + ${shortNumber(gradients)} + ${shortNumber(optimizer)} B; gradients are made anew in each step`,
      ],
      source:
        'BigScience, tr1-13B: gradients are not in a checkpoint; Megatron-LM, dist_optimizer: 18 with 32-bit gradients, 16 in 32 bits, 20 in 16-bit floats',
    },
  };
}

function activations(plan: StoragePlan, document: PlanDocument): Statement {
  const { memory, inputs } = plan;
  const { bytes, repeatedCompute } = chosen(memory.activations, inputs.activations);
  const fused = chosen(memory.activations, 'selective');
  const weights = memory.planned.weightBytes;
  const beside = bytes > weights ? 'more than' : 'less than';
  return {
    amount: formatBytes(bytes),
    text:
      inputs.activations === 'full'
        ? `of activations on each GPU instead of ${formatBytes(fused.bytes)}, ${beside} its weights, for ${shortShare(repeatedCompute)} more compute`
        : `of activations on each GPU, ${beside} its weights; attention scores are ${inputs.activations === 'kept' ? 'stored' : 'not stored, as with FlashAttention'}`,
    detail:
      'Activation checkpointing keeps few activations and computes the others again. It saves memory within a step, and has nothing to do with checkpoints on disk.',
    kind: statementKind(document, memoryKeys),
    derivation: {
      formula: 'kept: s b h L (34 + 5 a s ÷ h) ÷ TP; selective: 34 s b h L ÷ TP; full: 2 s b h L',
      steps: [
        `s ${formatCount(inputs.sequenceLength)}, b ${formatCount(inputs.microBatch)}, h ${formatCount(inputs.hiddenSize)}, L ${formatCount(inputs.layers)}, a ${formatCount(inputs.attentionHeads)}, TP ${formatCount(inputs.tensorParallel)}`,
        'again: attention alone 4 b s² h of 72 b s h² (1 + s ÷ 6h) operations a layer and step; full: one forward pass of three',
      ],
      source:
        'Korthikanti et al. 2022, arXiv 2205.05198, with sequence parallelism; FlashAttention (Dao et al. 2022) never stores the 5 a s ÷ h of attention',
    },
  };
}

function chosen(choices: readonly ActivationChoice[], choice: ActivationChoice['choice']): ActivationChoice {
  return choices.find((one) => one.choice === choice) ?? { choice, bytes: 0, repeatedCompute: 0 };
}

const wayNames: Readonly<Record<MemoryWay, string>> = {
  'zero-0': 'ZeRO 0, all replicated',
  'zero-1': 'ZeRO 1, optimizer sharded',
  'zero-2': 'ZeRO 2, gradients as well',
  'zero-3': 'ZeRO 3 (FSDP), weights as well',
  lora: 'LoRA, frozen base',
  qlora: 'QLoRA, frozen base in 4 bits',
};

function chart({ memory, inputs }: StoragePlan): BarChart {
  const rows = memory.rows.map((row) => {
    const marks = [row.weightBytes, row.gradientBytes, row.optimizerBytes, row.activationBytes];
    const parts = (['weights', 'gradients', 'optimizer', 'activations'] as const).map((label, index) => {
      const from = marks.slice(0, index).reduce((sum, bytes) => sum + bytes, 0);
      return { label, tone: tones[label], from, to: from + (marks[index] ?? 0) };
    });
    return { label: wayNames[row.way], parts };
  });
  const most = memory.rows.reduce((largest, { totalBytes }) => Math.max(largest, totalBytes), inputs.deviceMemoryBytes);
  return {
    kind: 'bars',
    id: 'gpu-memory',
    title: 'Memory of one GPU',
    summary: `Weights, gradients, optimizer state and activations of one GPU in ${counted(rows.length, 'way')} to train, beside its ${formatBytes(inputs.deviceMemoryBytes)}.`,
    x: { label: 'bytes on one GPU', scale: 'linear', domain: [0, Math.max(1, most) * 1.05], format: 'bytes' },
    rows,
    marks: [{ label: `GPU memory ${formatBytes(inputs.deviceMemoryBytes)}`, x: inputs.deviceMemoryBytes }],
    table: { ...memoryTable(memory.rows), id: 'gpu-memory' },
  };
}

const tones = { weights: 'line', gradients: 'second', optimizer: 'third', activations: 'fourth' } as const;

function memoryTable(rows: readonly MemoryRow[]): PageTable {
  return {
    id: 'memory-ways',
    caption: 'One GPU, by way of training',
    columns: [
      { label: 'way', isNumber: false },
      { label: 'weights', isNumber: true },
      { label: 'gradients', isNumber: true },
      { label: 'optimizer', isNumber: true },
      { label: 'activations', isNumber: true },
      { label: 'together', isNumber: true },
      { label: 'fits', isNumber: false },
      { label: 'checkpoint', isNumber: true },
    ],
    rows: rows.map((row) => [
      `${wayNames[row.way]}${row.isPlanned ? ' (planned)' : ''}`,
      formatBytes(row.weightBytes),
      formatBytes(row.gradientBytes),
      formatBytes(row.optimizerBytes),
      formatBytes(row.activationBytes),
      formatBytes(row.totalBytes),
      row.fits ? 'yes' : 'no',
      formatBytes(row.savedBytes),
    ]),
    note: '',
  };
}

function waysTable({ memory }: StoragePlan): PageTable {
  return {
    ...memoryTable(memory.rows),
    note: `Gradients and activations are volatile, weights and optimizer are saved. LoRA with ${shortParameters(memory.adapterParameters)} parameters in 32 bits; of its checkpoints the base is no part.`,
  };
}

const choiceNames = {
  kept: 'kept, without FlashAttention',
  selective: 'selective, or FlashAttention',
  full: 'full: each layer again',
} as const;

function activationsTable({ memory }: StoragePlan): PageTable {
  const fused = chosen(memory.activations, 'selective').bytes;
  return {
    id: 'activations',
    caption: 'Activation checkpointing',
    columns: [
      { label: 'choice', isNumber: false },
      { label: 'on a GPU', isNumber: true },
      { label: 'saved', isNumber: true },
      { label: 'compute again', isNumber: true },
    ],
    rows: memory.activations.map(({ choice, bytes, repeatedCompute }) => [
      choiceNames[choice],
      formatBytes(bytes),
      formatBytes(Math.max(0, fused - bytes)),
      shortShare(repeatedCompute),
    ]),
    note: 'Of all layers: a pipeline’s first stage holds fewer layers, and as many more micro-batches.',
  };
}

/** What frameworks' own documentation estimates for model states. */
function rulesTable({ memory, inputs, save }: StoragePlan): PageTable {
  const P = inputs.parameters / (save.topology.tensorParallel * save.topology.pipelineParallel);
  const N = memory.dataParallel;
  const rules: [string, string, number][] = [
    ['Megatron-LM, bf16 with 32-bit gradients', '18 P', 18 * P],
    ['the same, distributed optimizer', '(6 + 12 ÷ N) P', (6 + 12 / N) * P],
    ['DeepSpeed ZeRO 2', '4 P + 16 P ÷ N', 4 * P + (16 * P) / N],
    ['DeepSpeed ZeRO 3', '18 P ÷ N', (18 * P) / N],
  ];
  return {
    id: 'memory-rules',
    caption: 'Framework estimates for weights, gradients and optimizer',
    columns: [
      { label: 'framework', isNumber: false },
      { label: 'rule', isNumber: false },
      { label: 'on a GPU', isNumber: true },
    ],
    rows: rules.map(([name, rule, bytes]) => [name, rule, formatBytes(bytes)]),
    note: `P: ${shortParameters(Math.round(P))}, all parameters ÷ (TP × PP); N: ${counted(Math.round(N), 'replica')}; experts are not spread in these rules. Sources: Megatron-LM, dist_optimizer.md; DeepSpeed, memory.rst.`,
  };
}

function notes({ memory, size }: StoragePlan): string[] {
  const states = (way: MemoryWay) => {
    const row = memory.rows.find((one) => one.way === way);
    return row === undefined ? 1 : row.weightBytes + row.gradientBytes + row.optimizerBytes;
  };
  const adapter = memory.rows.find(({ way }) => way === 'lora')?.savedBytes ?? 1;
  const factor = (way: MemoryWay) => shortNumber(states('zero-0') / states(way), 2);
  return [
    `“LoRA and QLoRA cut memory 10 to 100 times, without more I/O”: of weights, gradients and optimizer here ${factor('lora')} and ${factor('qlora')} times beside replicated training, as the base stays in memory; activations stay as they are. A checkpoint of the adapter is ${shortTimes(size.checkpointBytes / Math.max(1, adapter), 2)} smaller. Whoever saves the frozen base with it (a full state_dict) loses that.`,
    'Activations can take more than the weights: they grow with sequence and micro-batch, weights do not.',
  ];
}
