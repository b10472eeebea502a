/** Every input of a plan, in the panel's order: its unit, its limits, its default. JSON, `--set`, the panel and the docs follow this table. */
import { frameworkChoices } from '../settings/frameworkSettings.js';
import { recipeChoices } from '../size/recipes.js';
import { failureRateChoices } from '../saving/failureRates.js';
import { gpuChoices } from '../training/gpuModels.js';
import { siteChoices } from '../systems/siteNames.js';
import { objectSystemChoices, refusedStores, storeSystemChoices } from '../systems/systemNames.js';
import type { ChoiceField, FieldGroup, FlagField, NumberField } from './planField.js';
import { unitsOf, type Quantity } from './quantities.js';

type Words = { label: string; hint: string; rare?: true };
type Limits = { minimum?: number; maximum?: number; whole?: true; unit?: string; size?: number };

function field(group: FieldGroup, quantity: Quantity, words: Words, limits: Limits) {
  const { unit, size, maximum } = unitsOf(quantity);
  const shown = { unit: limits.unit ?? unit, size: limits.size ?? size };
  const isWhole = limits.whole === true || quantity === 'count' || quantity === 'bytes';
  return {
    kind: 'number' as const,
    group,
    quantity,
    ...words,
    minimum: limits.minimum ?? 0,
    maximum: limits.maximum ?? maximum,
    ...(isWhole ? { whole: true as const } : {}),
    shown,
  };
}

function given(group: FieldGroup, quantity: Quantity, standard: number, words: Words, limits: Limits = {}): NumberField<false> {
  return { ...field(group, quantity, words, limits), standard };
}

/** A number that the plan derives unless it is given: its row in derivedInputs.ts has the number. */
function derived(
  group: FieldGroup,
  quantity: Quantity,
  from: string,
  words: Words,
  limits: Limits = {},
): NumberField<true> & { derived: string } {
  return { ...field(group, quantity, words, limits), standard: null, derived: from };
}

/** A number that the plan does without. */
function optional(group: FieldGroup, quantity: Quantity, words: Words, limits: Limits = {}): NumberField<true> {
  return { ...field(group, quantity, words, limits), standard: null, optional: true };
}

function choice<const Choice extends string>(
  group: FieldGroup,
  standard: Choice,
  choices: readonly { value: Choice; label: string }[],
  words: Words,
): ChoiceField<Choice> {
  return { kind: 'choice', group, ...words, choices, standard };
}

function flag(group: FieldGroup, standard: boolean, words: Words): FlagField {
  return { kind: 'flag', group, ...words, standard };
}

/** More GPUs than any machine has, and few enough that products of counts stay exact. */
const mostGpus = { minimum: 1, maximum: 1e7 };
const minutes = { unit: 'min', size: 60 };
const hours = { unit: 'h', size: 3600 };
const years = { unit: 'years', size: 31_557_600 };
const days = { unit: 'd', size: 86_400 };

export const planFields = {
  parameters: given(
    'model',
    'count',
    8_030_261_248,
    { label: 'Parameters', hint: 'all of them, tied ones once' },
    { minimum: 1 },
  ),
  activeParameters: derived(
    'model',
    'count',
    'all parameters',
    { label: 'Active parameters', hint: 'what one token passes, in a mixture of experts', rare: true },
    { minimum: 1 },
  ),
  recipe: choice('model', 'mixed-adam', recipeChoices, {
    label: 'What is saved',
    hint: 'precision and optimizer decide the bytes of each parameter',
  }),
  bytesPerParameter: derived('model', 'bytesPerValue', 'the sum of what is saved', {
    label: 'Bytes a parameter',
    hint: 'in a full checkpoint',
  }),
  checkpointBytes: derived(
    'model',
    'bytes',
    'parameters × bytes a parameter',
    { label: 'Checkpoint', hint: 'a measured size, in place of the product', rare: true },
    { minimum: 1 },
  ),

  gpus: given('cluster', 'count', 64, { label: 'GPUs', hint: 'of the job' }, mostGpus),
  gpusPerNode: given(
    'cluster',
    'count',
    8,
    { label: 'GPUs a node', hint: 'they share its memory, drives and network' },
    mostGpus,
  ),
  gpu: choice('cluster', 'unlisted', gpuChoices, {
    label: 'GPU model',
    hint: 'its memory, arithmetic and price, unless these are given',
  }),
  gpuPricePerHour: given('cluster', 'price', 2.5, {
    label: 'Price of a GPU',
    hint: 'US dollars an hour, with its share of the node: what lost time costs',
    rare: true,
  }),
  // Purchase, power and its price are bounded so that an hour of a GPU stays within the limits of its own input.
  gpuCapitalDollars: optional(
    'cluster',
    'capital',
    {
      label: 'Purchase price of a GPU',
      hint: 'US dollars, with its share of the node: written off over its lifetime in place of a price an hour',
      rare: true,
    },
    { maximum: 1e7 },
  ),
  gpuLifetimeSeconds: given(
    'cluster',
    'seconds',
    5 * 31_557_600,
    { label: 'Lifetime of GPUs', hint: 'over which a purchase is written off', rare: true },
    { ...years, minimum: 86_400 },
  ),
  gpuWatts: derived(
    'cluster',
    'watts',
    'that of the GPU model',
    { label: 'Power of a GPU', hint: 'with its share of the node where that is known', rare: true },
    { maximum: 1e5 },
  ),
  tensorParallel: given('cluster', 'count', 1, { label: 'Tensor parallel', hint: 'TP' }, mostGpus),
  pipelineParallel: given('cluster', 'count', 1, { label: 'Pipeline parallel', hint: 'PP' }, mostGpus),
  dataParallel: derived(
    'cluster',
    'count',
    'GPUs ÷ (TP × PP)',
    { label: 'Data parallel', hint: 'DP, replicas of the model, or GPUs that share it' },
    mostGpus,
  ),
  expertParallel: given(
    'cluster',
    'count',
    1,
    { label: 'Expert parallel', hint: 'EP, within data parallel', rare: true },
    mostGpus,
  ),
  zeroStage: choice(
    'cluster',
    '0',
    [
      { value: '0', label: '0: every replica holds all' },
      { value: '1', label: '1: optimizer state is sharded' },
      { value: '2', label: '2: gradients as well' },
      { value: '3', label: '3: weights as well (FSDP)' },
    ],
    { label: 'ZeRO stage', hint: 'what the data-parallel replicas share; decides who writes' },
  ),
  shardDegree: derived(
    'cluster',
    'count',
    'all data-parallel GPUs',
    { label: 'GPUs that share', hint: 'one copy of what is sharded; fewer than DP is HSDP', rare: true },
    mostGpus,
  ),

  saveMode: choice(
    'saving',
    'asynchronous',
    [
      { value: 'synchronous', label: 'synchronous: training waits for storage' },
      { value: 'asynchronous', label: 'asynchronous: training waits for the copy to host memory' },
      { value: 'multi-level', label: 'multi-level: memory, neighbour, drives, then storage' },
    ],
    { label: 'Way of saving', hint: 'what training waits for' },
  ),
  framework: choice('saving', 'unlisted', frameworkChoices, {
    label: 'Framework',
    hint: 'whose settings the plan is told in',
  }),
  intervalSeconds: derived(
    'saving',
    'seconds',
    'the interval that loses least',
    { label: 'Interval', hint: 'training time between two saves' },
    { ...minutes, minimum: 1e-3 },
  ),
  stepSeconds: optional(
    'saving',
    'seconds',
    { label: 'Time of a step', hint: 'to say intervals in steps', rare: true },
    { minimum: 1e-6 },
  ),
  intervalSteps: optional(
    'saving',
    'count',
    {
      label: 'Interval in steps',
      hint: 'as configs have it; taken where the time of a step or its tokens are known, and no interval in time is given',
      rare: true,
    },
    { minimum: 1 },
  ),
  tokensPerStep: optional(
    'saving',
    'count',
    { label: 'Tokens of a step', hint: 'the global batch; with tokens a second, the time of a step', rare: true },
    { minimum: 1 },
  ),
  accumulation: optional(
    'saving',
    'count',
    {
      label: 'Micro-batches of a step',
      hint: 'accumulated on each GPU; the tokens of a step where these are not given',
      rare: true,
    },
    { minimum: 1, maximum: 1e6 },
  ),
  runSteps: optional(
    'saving',
    'count',
    { label: 'Steps of the run', hint: 'its length where that is not given in time', rare: true },
    { minimum: 1 },
  ),
  overlapTarget: given(
    'saving',
    'share',
    0.1,
    {
      label: 'Overlap wanted',
      hint: 'share of the time in which a save is being written; more only where less would cost more than it gives back',
    },
    { minimum: 1e-4 },
  ),
  stallSeconds: derived('saving', 'seconds', 'the way of saving decides', {
    label: 'Stall of a save',
    hint: 'how long training stands still for one',
  }),
  fixedStallSeconds: given('saving', 'seconds', 5, {
    label: 'Fixed part of a stall',
    hint: 'collecting state, agreeing on who writes what; PyTorch’s asynchronous save of a 7B takes 6.3 s in all',
    rare: true,
  }),
  deviceToHostBytesPerSecond: given(
    'saving',
    'bytesPerSecond',
    25e9,
    { label: 'GPU to host memory', hint: 'of one GPU; PCIe 4 gives about 25 GB/s, PCIe 5 about 50', rare: true },
    { minimum: 1e6 },
  ),
  graceSeconds: given('saving', 'seconds', 120, {
    label: 'Grace period',
    hint: 'from the warning to the end: 30 s to 120 s on spot machines, Slurm as configured',
  }),

  failureRate: choice('failures', 'llama3', failureRateChoices, { label: 'Failures as at', hint: 'a published failure rate' }),
  gpuMtbfSeconds: derived(
    'failures',
    'seconds',
    'the published rate',
    { label: 'GPU’s mean time between failures', hint: 'that end the job; of one GPU with its share of the node', rare: true },
    { ...hours, minimum: 1 },
  ),
  mtbfSeconds: derived(
    'failures',
    'seconds',
    'a GPU’s ÷ GPUs',
    { label: 'Job’s mean time between failures', hint: 'of the whole job' },
    { ...hours, minimum: 1 },
  ),
  restartSeconds: given('failures', 'seconds', 300, {
    label: 'Restart and restore',
    hint: 'from a failure until training goes on, lost work aside',
  }),
  reclaimSeconds: optional(
    'failures',
    'seconds',
    {
      label: 'Machines are taken back every',
      hint: 'spot machines: a warning comes before the end',
      rare: true,
    },
    { ...hours, minimum: 1 },
  ),
  acceptableLossSeconds: optional(
    'failures',
    'seconds',
    { label: 'Largest acceptable loss', hint: 'of work, by one failure that leaves the storage standing', rare: true },
    { ...minutes, minimum: 1 },
  ),
  walltimeSeconds: optional(
    'failures',
    'seconds',
    { label: 'Walltime of a job', hint: 'it ends after so long, and the next one goes on (Slurm --time)', rare: true },
    { ...hours, minimum: 1 },
  ),
  nodeFailureShare: given('failures', 'share', 0.78, {
    label: 'Failures that take a node',
    hint: 'its memory and drives are lost to the job; the rest are processes that die',
    rare: true,
  }),
  rackFailureShare: given('failures', 'share', 0.08, {
    label: 'Failures that take a rack',
    hint: 'a switch, its power',
    rare: true,
  }),
  siteFailureShare: given('failures', 'share', 0.002, {
    label: 'Failures that take the site',
    hint: 'or its storage: the copy elsewhere is what is left',
    rare: true,
  }),

  site: choice('tiers', 'any', siteChoices, {
    label: 'Site',
    hint: 'where the job runs: systems that can be had there are ranked, and taken where none is named',
  }),
  store: {
    ...choice('tiers', 'lustre', storeSystemChoices, { label: 'Storage', hint: 'where a checkpoint is safe' }),
    refused: refusedStores,
  },
  writeBytesPerSecond: derived(
    'tiers',
    'bytesPerSecond',
    'what is worth its money; of objects and drives, what the job gets',
    { label: 'Write bandwidth', hint: 'sustained, of the whole storage' },
    { minimum: 1e3 },
  ),
  readBytesPerSecond: derived(
    'tiers',
    'bytesPerSecond',
    'as for writing, or what one restore needs',
    { label: 'Read bandwidth', hint: 'sustained' },
    { minimum: 1e3 },
  ),
  storeCapacityBytes: derived(
    'tiers',
    'bytes',
    'as much as is needed',
    {
      label: 'Room or quota',
      hint: 'of the storage, with what is used already',
    },
    { unit: 'TB', size: 1e12 },
  ),
  storeUsedBytes: given(
    'tiers',
    'bytes',
    0,
    { label: 'Used already', hint: 'of that room or quota, by other files', rare: true },
    { unit: 'TB', size: 1e12 },
  ),
  storePricePerGBMonth: derived('tiers', 'price', 'the list price, where there is one', {
    label: 'Price of storage',
    hint: 'US dollars for a GB a month',
    rare: true,
  }),
  storePricePerGBps: derived(
    'tiers',
    'price',
    'the list price of its bandwidth, or that of FSx for Lustre; none for objects and drives',
    {
      label: 'Price of bandwidth',
      hint: 'US dollars a month for a GB/s',
      rare: true,
    },
  ),
  storeCapitalDollars: optional('tiers', 'capital', {
    label: 'Purchase price of storage',
    hint: 'US dollars, of all of it, with the write bandwidth that was bought',
    rare: true,
  }),
  storeLifetimeSeconds: given(
    'tiers',
    'seconds',
    5 * 31_557_600,
    { label: 'Lifetime of storage', hint: 'over which a purchase is written off', rare: true },
    { ...years, minimum: 86_400 },
  ),
  energyPricePerKilowattHour: optional(
    'tiers',
    'price',
    { label: 'Price of energy', hint: 'US dollars a kWh, where power is paid for besides', rare: true },
    { maximum: 1e3 },
  ),
  storageWattsPerGBps: optional('tiers', 'watts', {
    label: 'Power of a GB/s',
    hint: 'what the storage draws for each GB/s of write bandwidth',
    rare: true,
  }),
  storageWattsPerTB: optional('tiers', 'watts', {
    label: 'Power of a TB',
    hint: 'what the storage draws for each TB that lies there',
    rare: true,
  }),
  jobs: given(
    'tiers',
    'count',
    1,
    { label: 'Jobs on the storage', hint: 'equal ones; each has its share of bandwidth and room', rare: true },
    { minimum: 1, maximum: 1e6 },
  ),
  nvmeWriteBytesPerSecond: given('tiers', 'bytesPerSecond', 10e9, {
    label: 'Node’s drives, writing',
    hint: 'all drives of one node; 0 where it has none',
  }),
  nvmeReadBytesPerSecond: given('tiers', 'bytesPerSecond', 20e9, {
    label: 'Node’s drives, reading',
    hint: 'all of one node',
    rare: true,
  }),
  nvmeCapacityBytes: given(
    'tiers',
    'bytes',
    15.36e12,
    { label: 'Node’s drives, room', hint: 'of one node', rare: true },
    { unit: 'TB', size: 1e12 },
  ),
  networkBytesPerSecond: given(
    'tiers',
    'bytesPerSecond',
    40e9,
    { label: 'Node’s network', hint: 'to its neighbours: 80 % of one 400 Gb/s port', rare: true },
    { minimum: 1e6 },
  ),
  clientBytesPerSecond: derived(
    'tiers',
    'bytesPerSecond',
    'the node’s network',
    { label: 'Node’s way to the storage', hint: 'as a bandwidth check on one node measures it', rare: true },
    { minimum: 1e3 },
  ),
  fileBytesPerSecond: optional(
    'tiers',
    'bytesPerSecond',
    { label: 'One file, writing', hint: 'what the storage takes of a single file, where that is a limit', rare: true },
    { minimum: 1e3 },
  ),
  objectStore: choice('tiers', 's3-standard', objectSystemChoices, {
    label: 'Object store',
    hint: 'for milestones and copies elsewhere',
  }),
  objectBytesPerSecond: given(
    'tiers',
    'bytesPerSecond',
    10e9,
    {
      label: 'To the object store',
      hint: 'sustained, of the whole job; 10 Gb/s for each node unless it is given, at most what one prefix takes',
    },
    { minimum: 1e3 },
  ),
  objectPricePerGBMonth: derived('tiers', 'price', 'the list price', {
    label: 'Price of the object store',
    hint: 'US dollars for a GB a month',
    rare: true,
  }),
  secondRegion: flag('tiers', false, { label: 'Copy to a second region', hint: 'what is kept for ever, once more elsewhere' }),
  egressPricePerGB: derived('tiers', 'price', 'the list price', {
    label: 'Price of leaving the region',
    hint: 'US dollars for each GB that is copied',
    rare: true,
  }),

  restoreTargetSeconds: given(
    'restore',
    'seconds',
    300,
    { label: 'Restored within', hint: 'reading alone, from the shared storage' },
    { minimum: 0.1 },
  ),

  runSeconds: given(
    'retention',
    'seconds',
    30 * 86_400,
    { label: 'Length of the run', hint: 'wall-clock' },
    { ...days, minimum: 1 },
  ),
  keepLast: given('retention', 'count', 3, { label: 'Keep the last', hint: 'full checkpoints' }, { maximum: 1e9 }),
  keepEvery: given(
    'retention',
    'count',
    0,
    { label: 'Keep every Nth for ever', hint: 'full checkpoints; 0 for none' },
    { maximum: 1e9 },
  ),
  milestones: given(
    'retention',
    'count',
    0,
    { label: 'Milestones', hint: 'full checkpoints that stay besides', rare: true },
    { maximum: 1e9 },
  ),
  exportEvery: given(
    'retention',
    'count',
    0,
    { label: 'Export weights every Nth', hint: 'weights alone, kept for ever; 0 for none' },
    { maximum: 1e9 },
  ),
  legalHolds: given(
    'retention',
    'count',
    0,
    { label: 'Under legal hold', hint: 'checkpoints that must not be deleted', rare: true },
    { maximum: 1e9 },
  ),
  copies: given(
    'retention',
    'count',
    2,
    { label: 'Copies of what stays for ever', hint: 'in places that do not fail together', rare: true },
    { minimum: 1, maximum: 100 },
  ),

  tokens: given('data', 'count', 15e12, { label: 'Tokens of the dataset', hint: 'once over it' }, { maximum: 1e18 }),
  bytesPerToken: given(
    'data',
    'bytesPerValue',
    4,
    { label: 'Bytes a token', hint: '2 for vocabularies below 65,500, else 4' },
    { minimum: 0.1 },
  ),
  tokensPerSecond: derived(
    'data',
    'count',
    'FLOP/s of all GPUs ÷ (6 × active parameters)',
    { label: 'Tokens a second', hint: 'of the whole job', rare: true },
    { maximum: 1e12, minimum: 1 },
  ),
  gpuFlopsPerSecond: given(
    'data',
    'flopsPerSecond',
    400e12,
    { label: 'A GPU achieves', hint: 'Llama 3 405B reached 380 to 430', rare: true },
    { minimum: 1e9 },
  ),

  deviceMemoryBytes: given('memory', 'bytes', 80e9, { label: 'GPU memory', hint: 'of one GPU' }),
  hostMemoryBytes: given('memory', 'bytes', 2e12, { label: 'Host memory', hint: 'of one node' }),
  layers: given('memory', 'count', 32, { label: 'Layers', hint: 'for activations', rare: true }, { minimum: 1, maximum: 1e6 }),
  hiddenSize: given(
    'memory',
    'count',
    4096,
    { label: 'Hidden size', hint: 'for activations', rare: true },
    { minimum: 1, maximum: 1e7 },
  ),
  attentionHeads: given(
    'memory',
    'count',
    32,
    { label: 'Attention heads', hint: 'for activations', rare: true },
    { minimum: 1, maximum: 1e6 },
  ),
  sequenceLength: given('memory', 'count', 8192, { label: 'Sequence length', hint: 'tokens' }, { minimum: 1, maximum: 1e9 }),
  microBatch: given(
    'memory',
    'count',
    1,
    { label: 'Micro-batch', hint: 'sequences that a GPU computes at once' },
    { minimum: 1, maximum: 1e6 },
  ),
  activations: choice(
    'memory',
    'selective',
    [
      { value: 'kept', label: 'kept, attention scores too: without FlashAttention' },
      { value: 'selective', label: 'selective: all but attention scores, as FlashAttention keeps them' },
      { value: 'full', label: 'full: each layer is computed again' },
    ],
    { label: 'Activation checkpointing', hint: 'saves memory; has nothing to do with checkpoints on disk' },
  ),
  tuning: choice(
    'memory',
    'full',
    [
      { value: 'full', label: 'all weights' },
      { value: 'lora', label: 'an adapter (LoRA)' },
      { value: 'qlora', label: 'an adapter over 4-bit weights (QLoRA)' },
    ],
    { label: 'What is trained', hint: 'gradients and optimizer state are of it alone', rare: true },
  ),
  adapterParameters: derived('memory', 'count', '0.5 % of the parameters', {
    label: 'Parameters of an adapter',
    hint: 'for LoRA and QLoRA',
    rare: true,
  }),
  gradientBytes: derived(
    'memory',
    'bytesPerValue',
    'as wide as the weights',
    { label: 'Bytes of a gradient', hint: 'Megatron sums gradients of 16-bit weights in 32 bits: 4', rare: true },
    { maximum: 16 },
  ),
  offload: choice(
    'memory',
    'none',
    [
      { value: 'none', label: 'nothing' },
      { value: 'optimizer-memory', label: 'optimizer to host memory' },
      { value: 'optimizer-nvme', label: 'optimizer to the node’s drives' },
      { value: 'all-nvme', label: 'optimizer and weights to the node’s drives' },
    ],
    { label: 'Offloaded while training', hint: 'moved in and out every step' },
  ),
} satisfies Record<string, NumberField | ChoiceField | FlagField>;
