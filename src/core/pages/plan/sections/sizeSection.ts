/** How large a checkpoint is, who writes it, and what each rule of thumb makes of the same model. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import { writersOf } from '../../../planning/saving/writers.js';
import { nearestMlperfSize } from '../../../planning/size/mlperfSizes.js';
import type { SizePart } from '../../../planning/size/plannedSize.js';
import { adapterParametersOf, adapterState } from '../../../planning/size/adapterSize.js';
import { compareRecipes } from '../../../planning/size/recipeComparison.js';
import { recipeOf } from '../../../planning/size/recipes.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { formatBinaryBytes, formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { counted, eachOf, shortParameters } from '../../../text/quantities.js';
import type { PlanSection } from '../planSection.js';
import type { BarChart, ChartTone } from '../../chart.js';
import type { PageTable } from '../../table.js';
import type { Derivation, Statement } from '../../statement.js';
import { sizeKeys, statementKind, givenWords } from '../statementKind.js';

export function sizeSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'size',
    title: 'A checkpoint',
    lead: lead(plan, document),
    more: [perNode(plan, document), allWriting(plan, document)],
    charts: [partsChart(plan)],
    tables: [recipeTable(plan)],
    notes: notes(plan),
  };
}

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { size, save } = plan;
  const { writers, topology } = save;
  const each = writers.writers === 1 ? '' : `: ${formatBytes(writers.largestWriterBytes)} each`;
  return {
    amount: formatBytes(size.checkpointBytes),
    text: `a checkpoint, written by ${formatCount(writers.writers)} of ${counted(topology.gpus, 'GPU')}${each}`,
    detail: `${product(plan, document)}. ${whoWrites(plan)}`,
    kind: statementKind(document, sizeKeys(plan)),
    derivation: sizeDerivation(plan),
  };
}

function product({ inputs, size }: StoragePlan, document: PlanDocument): string {
  const model = `${shortParameters(inputs.parameters)} parameters`;
  if (size.basis === 'adapters')
    return `Adapters alone, ${shortParameters(adapterParametersOf(inputs))} parameters × ${shortNumber(adapterBytes)} bytes; the model of ${model} is not saved again`;
  if (inputs.checkpointBytes === null) return `${model} × ${shortNumber(size.bytesPerParameter, 4)} bytes`;
  return `${size.basis === 'measured' ? 'As measured' : givenWords(document, 'checkpointBytes')}: ${shortNumber(size.bytesPerParameter, 4)} bytes for each of ${model}`;
}

function whoWrites({ inputs, save }: StoragePlan): string {
  const { expertParallel } = save.topology;
  const replica = `tensor × pipeline${expertParallel > 1 ? ' × expert' : ''} replica`;
  if (inputs.zeroStage === '3') return 'Every GPU writes its own share.';
  if (inputs.zeroStage === '0') return `Only one ${replica} writes.`;
  return `One ${replica} writes the weights, every GPU its share of the optimizer.`;
}

function sizeDerivation({ inputs, size }: StoragePlan): Derivation {
  const total = `${formatCount(size.checkpointBytes)} bytes = ${formatBytes(size.checkpointBytes)} (${formatBinaryBytes(size.checkpointBytes)})`;
  const source = {
    measured: 'the files of the checkpoint that was measured',
    given: 'as given',
    recipe: recipeOf(inputs.recipe).source,
    adapters: 'PEFT: adapters and their moments in 32 bits',
  }[size.basis];
  return {
    formula:
      size.basis === 'recipe' || size.basis === 'adapters' ? 'S = P × bytes of each part, summed' : 'S = the sum of its parts',
    steps: [...size.parts.map((part) => partStep(part, savedParameters(inputs, size))), `together ${total}`],
    source,
  };
}

const adapterBytes = adapterState.weights + adapterState.optimizer;

/** Those that the bytes are for. */
function savedParameters(inputs: StoragePlan['inputs'], { basis }: StoragePlan['size']): number {
  return basis === 'adapters' ? adapterParametersOf(inputs) : inputs.parameters;
}

function partStep({ label, bytes }: SizePart, parameters: number): string {
  return `${label}: ${formatCount(parameters)} × ${shortNumber(bytes / parameters, 4)} B = ${formatCount(bytes)} bytes`;
}

function perNode({ save }: StoragePlan, document: PlanDocument): Statement {
  const { writers, topology } = save;
  return {
    amount: formatBytes(writers.largestNodeBytes),
    text: `from ${eachOf(writers.writingNodes, 'node that writes', 'nodes that write')}, of ${formatCount(topology.nodes)}`,
    detail: `About ${counted(writers.filesPerSave, 'file')} a save where each writer makes one for each kind of state.`,
    kind: statementKind(document, ['gpus', 'gpusPerNode', 'zeroStage']),
    derivation: null,
  };
}

/** What sharing the writing among all GPUs would make of it; where all write already, what one replica would. */
function allWriting({ inputs, size, save }: StoragePlan, document: PlanDocument): Statement {
  const isSharded = inputs.zeroStage === '3';
  const other = writersOf(save.topology, size, isSharded ? '0' : '3', inputs.gpusPerNode);
  const who = eachOf(other.writers, 'GPU');
  return {
    amount: formatBytes(other.largestWriterBytes),
    text: isSharded
      ? `from ${who} if one replica wrote alone, without sharding`
      : `from ${who} if all wrote a share each (ZeRO 3, FSDP, fully parallel saving)`,
    detail: `The bytes stay the same; ${counted(other.filesPerSave, 'file')} instead of ${formatCount(save.writers.filesPerSave)}. A larger cluster changes the number of files, the volume of a restore and how often it fails, not the size.`,
    kind: statementKind(document, ['gpus', 'zeroStage']),
    derivation: null,
  };
}

/** As in reports; what is not split is all of one. */
const tones: Record<SizePart['id'], ChartTone> = {
  weights: 'line',
  measured: 'line',
  masterWeights: 'second',
  firstMoment: 'third',
  secondMoment: 'fourth',
  rest: 'third',
  exportedWeights: 'muted',
};

function partsChart({ size, inputs }: StoragePlan): BarChart {
  let from = 0;
  const parts = size.parts.map(({ id, label, bytes }) => {
    const part = {
      label: `${label} ${formatBytes(bytes)}`,
      tone: tones[id],
      from,
      to: from + bytes,
    };
    from += bytes;
    return part;
  });
  const rows = size.parts.map(({ label, bytes, isWeights }) => [
    label,
    formatBytes(bytes),
    shortNumber(bytes / savedParameters(inputs, size), 4),
    isWeights ? 'yes' : 'no',
  ]);
  return {
    kind: 'bars',
    id: 'size-parts',
    title: 'What a checkpoint holds',
    summary: `${formatBytes(size.checkpointBytes)}: ${size.parts.map(({ label, bytes }) => `${label} ${formatBytes(bytes)}`).join(', ')}.`,
    x: { label: 'bytes', scale: 'linear', domain: [0, size.checkpointBytes], format: 'bytes' },
    rows: [{ label: 'checkpoint', parts }],
    marks: [],
    table: {
      id: 'size-parts',
      caption: 'Parts of a checkpoint',
      columns: [
        { label: 'part', isNumber: false },
        { label: 'bytes', isNumber: true },
        { label: 'B a parameter', isNumber: true },
        { label: 'stays in an export', isNumber: false },
      ],
      rows,
      note: '',
    },
  };
}

function recipeTable({ inputs, size }: StoragePlan): PageTable {
  const rows = compareRecipes(inputs.parameters).map((recipe) => [
    recipe.id === inputs.recipe && size.basis === 'recipe' ? `${recipe.label}: this plan` : recipe.label,
    shortNumber(recipe.checkpointBytesPerParameter),
    formatBytes(recipe.checkpointBytes),
    memoryCell(recipe.memoryBytesPerParameter),
    recipe.source,
  ]);
  return {
    id: 'recipes',
    caption: 'The same model by every rule',
    columns: [
      { label: 'what is saved', isNumber: false },
      { label: 'B a parameter', isNumber: true },
      { label: 'checkpoint', isNumber: true },
      { label: 'B in training memory', isNumber: true },
      { label: 'who', isNumber: false },
    ],
    rows,
    note: 'Memory holds gradients besides, in 16 or in 32 bits; no checkpoint does. Memory without activations.',
  };
}

function memoryCell(memory: { least: number; most: number } | null): string {
  if (memory === null) return '';
  return memory.least === memory.most ? shortNumber(memory.least) : `${shortNumber(memory.least)} to ${shortNumber(memory.most)}`;
}

function notes({ inputs, size }: StoragePlan): string[] {
  const row = nearestMlperfSize(inputs.parameters);
  const experts =
    inputs.expertParallel > 1
      ? [
          'Nearly all weights of a mixture of experts are experts’: a replica of them is taken as TP × PP × EP GPUs wide, the shared part with it.',
        ]
      : [];
  const ofExport = inputs.parameters * 16;
  return [
    `16 bytes a parameter is what training keeps in memory: 2 weights, 2 gradients, 4 master, 8 Adam. Gradients are not saved, so a checkpoint has 14; it comes to 16 (${formatBytes(ofExport)} here) where 16-bit weights are exported beside it. 12 is 32-bit weights and Adam, 10 goes without the 32-bit copy, 8 is a rule of thumb of four 16-bit states. 18, 20 and 24 count memory too.`,
    ...(size.basis === 'measured' ? ['The measured size wins over every rule.'] : []),
    ...(row === null
      ? []
      : [
          `MLPerf Storage prints ${row.printed} for its ${row.name} model, which is ${formatBytes(row.bytes)} (${formatBinaryBytes(row.bytes)}): ${row.remark}.`,
        ]),
    ...experts,
  ];
}
