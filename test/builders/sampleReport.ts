import type { CheckpointReport, ComponentTotals, FileReport, ObjectNode } from '../../src/core/checkpoints/checkpointReport.js';
import type { ComponentId } from '../../src/core/tensors/component.js';

const parameters = 8_030_261_248;
const weightBytes = 2 * parameters;
const stateBytes = 4 * parameters;

const shardBytes = [4_976_698_672, 4_999_802_720, 4_915_916_176];
const lastShardBytes = weightBytes - shardBytes.reduce((sum, bytes) => sum + bytes, 0);

function file(path: string, format: string, role: string, components: FileReport['components']): FileReport {
  const bytes = Object.values(components).reduce((sum, part) => sum + part, 0);
  return { path, bytes, format, role, components };
}

const sampleFiles: FileReport[] = [
  file('optimizer.pt', 'torch-zip', 'optimizer state', {
    masterWeights: stateBytes,
    optimizer: 2 * stateBytes,
    container: 131_904,
  }),
  ...[...shardBytes, lastShardBytes].map((bytes, index) =>
    file(`model-0000${index + 1}-of-00004.safetensors`, 'safetensors', 'model weights', {
      weights: bytes,
      container: 9_176 + 8 * index,
    }),
  ),
  file('tokenizer.json', 'json', 'tokenizer', { tokenizer: 17_209_920 }),
  file('model.safetensors.index.json', 'json', 'index of the weight files', { container: 23_950 }),
  ...[0, 1, 2, 3].map((rank) => file(`rng_state_${rank}.pth`, 'torch-zip', 'RNG state of one rank', { rng: 14_917 })),
  file('trainer_state.json', 'json', 'log and position of the trainer', { trainerState: 41_310 }),
  file('training_args.bin', 'torch-zip', 'training arguments', { trainerState: 6_712 }),
  file('scheduler.pt', 'torch-zip', 'learning rate schedule', { scheduler: 1_465 }),
  file('config.json', 'json', 'model config', { config: 844 }),
  file('generation_config.json', 'json', 'generation config', { config: 185 }),
  file('tokenizer_config.json', 'json', 'tokenizer', { tokenizer: 55_351 }),
  file('special_tokens_map.json', 'json', 'tokenizer', { tokenizer: 325 }),
  file('notes.txt', 'text', 'unknown', { unexplained: 212 }),
];

function bytesOf(component: ComponentId): number {
  return sampleFiles.reduce((sum, { components }) => sum + (components[component] ?? 0), 0);
}

function filesOf(component: ComponentId): number {
  return sampleFiles.filter(({ components }) => components[component] !== undefined).length;
}

function otherTotals(component: ComponentId): ComponentTotals {
  return { tensorBytes: 0, otherBytes: bytesOf(component), logicalBytes: 0, tensors: 0, files: filesOf(component) };
}

function leaf(key: string, kind: ObjectNode['kind'], text: string): ObjectNode {
  return { key, kind, text };
}

function group(key: string, kind: ObjectNode['kind'], children: ObjectNode[], type?: string): ObjectNode {
  const text = kind === 'object' ? '' : kind === 'dict' ? '{…}' : kind === 'tuple' ? '(…)' : '[…]';
  return { key, kind, text, count: children.length, children, ...(type === undefined ? {} : { type }) };
}

const optimizerObject = group('', 'dict', [
  {
    ...group(
      'state',
      'dict',
      Array.from({ length: 250 }, (_, index) => momentState(index)),
    ),
    count: 291,
    text: '{…}',
  },
  group('param_groups', 'list', [
    group('0', 'dict', [
      leaf('lr', 'number', '1.8734e-05'),
      group('betas', 'tuple', [leaf('0', 'number', '0.9'), leaf('1', 'number', '0.95')]),
      leaf('eps', 'number', '1e-08'),
      leaf('weight_decay', 'number', '0.1'),
      leaf('amsgrad', 'boolean', 'False'),
      leaf('foreach', 'none', 'None'),
    ]),
  ]),
]);

function momentState(index: number): ObjectNode {
  return group(String(index), 'dict', [
    leaf('step', 'tensor', 'f32 scalar'),
    leaf('exp_avg', 'tensor', 'f32 4096 × 4096'),
    leaf('exp_avg_sq', 'tensor', 'f32 4096 × 4096'),
  ]);
}

const argumentsObject = group(
  '',
  'object',
  [
    leaf('output_dir', 'text', "'/scratch/runs/llama-8b-sft'"),
    leaf('learning_rate', 'number', '2e-05'),
    leaf('per_device_train_batch_size', 'number', '4'),
    leaf('gradient_accumulation_steps', 'number', '8'),
    leaf('bf16', 'boolean', 'True'),
    leaf('lr_scheduler_type', 'global', 'transformers.trainer_utils.SchedulerType'),
    leaf('deepspeed', 'none', 'None'),
  ],
  'transformers.training_args.TrainingArguments',
);

const totalBytes = sampleFiles.reduce((sum, { bytes }) => sum + bytes, 0);

function term(
  component: ComponentId,
  part: 'whole' | 'firstMoment' | 'secondMoment',
  dtypes: string[],
  bytes: number,
  source: string,
) {
  return { component, part, dtypes, bytes, bytesPerParameter: bytes / parameters, source };
}

const restBytes = totalBytes - weightBytes - 3 * stateBytes;

/** An AdamW mixed-precision checkpoint of an 8.03 B parameter model, as the Trainer writes it on four ranks. Its bytes add up. */
export function sampleReport(): CheckpointReport {
  return structuredClone({
    schemaVersion: 2,
    kind: 'checkpoint',
    path: '/scratch/runs/llama-8b-sft/checkpoint-1000',
    layout: 'huggingface-trainer',
    framework: { name: 'transformers', version: '4.57.1' },
    step: 1000,
    totalBytes,
    parameters: {
      stored: parameters,
      unique: parameters,
      source: 'the shapes of 291 weight tensors in 4 safetensors files, none tied.',
    },
    bytesPerParameter: {
      value: totalBytes / parameters,
      terms: [
        term('weights', 'whole', ['bf16'], weightBytes, '291 tensors in 4 files model-0000?-of-00004.safetensors'),
        term('masterWeights', 'whole', ['f32'], stateBytes, '291 tensors in optimizer.pt'),
        term('optimizer', 'firstMoment', ['f32'], stateBytes, '291 tensors named exp_avg in optimizer.pt'),
        term('optimizer', 'secondMoment', ['f32'], stateBytes, '291 tensors named exp_avg_sq in optimizer.pt'),
        term('container', 'whole', [], restBytes, 'tokenizer, config, RNG state and the container overhead of 19 files'),
      ],
    },
    components: {
      weights: { tensorBytes: weightBytes, otherBytes: 0, logicalBytes: weightBytes, tensors: 291, files: 4 },
      masterWeights: { tensorBytes: stateBytes, otherBytes: 0, logicalBytes: stateBytes, tensors: 291, files: 1 },
      optimizer: {
        tensorBytes: 2 * stateBytes,
        otherBytes: 0,
        logicalBytes: 2 * stateBytes,
        tensors: 582,
        files: 1,
        parts: { firstMoment: stateBytes, secondMoment: stateBytes },
      },
      scheduler: otherTotals('scheduler'),
      rng: otherTotals('rng'),
      trainerState: otherTotals('trainerState'),
      tokenizer: otherTotals('tokenizer'),
      config: otherTotals('config'),
      container: otherTotals('container'),
      unexplained: otherTotals('unexplained'),
    },
    topology: {
      worldSize: 4,
      dataParallel: 4,
      tensorParallel: null,
      pipelineParallel: null,
      expertParallel: null,
      zeroStage: null,
    },
    ranks: [0, 1, 2, 3].map((rank) => ({ rank: String(rank), bytes: 14_960, files: 1, modified: null })),
    files: sampleFiles,
    tensorCount: 1164,
    optimizerMatch: {
      method: 'by-order-and-shape',
      matched: 291,
      total: 291,
      explanation: 'optimizer.pt numbers its states; number n has the shape of the n-th weight for all 291.',
    },
    storedTwice: {
      bytes: weightBytes,
      items: [
        {
          what: 'the weights in bf16 beside their f32 master copy: the first could be made from the second',
          bytes: weightBytes,
          setting: null,
          basis: 'names',
          coverage: null,
          paths: [
            'model-00001-of-00004.safetensors',
            'model-00002-of-00004.safetensors',
            'model-00003-of-00004.safetensors',
            'optimizer.pt',
          ],
        },
      ],
    },
    facts: [
      { id: 'learningRate', label: 'learning rate', value: '1.8734e-05', path: 'optimizer.pt', keyPath: 'param_groups[0].lr' },
      { id: 'betas', label: 'betas', value: '0.9, 0.95', path: 'optimizer.pt', keyPath: 'param_groups[0].betas' },
      { id: 'weightDecay', label: 'weight decay', value: '0.1', path: 'optimizer.pt', keyPath: 'param_groups[0].weight_decay' },
      { id: 'epoch', label: 'epoch', value: '0.64', path: 'trainer_state.json', keyPath: 'epoch' },
      {
        id: 'batchSize',
        label: 'batch size per device',
        value: '4',
        path: 'training_args.bin',
        keyPath: 'per_device_train_batch_size',
      },
    ],
    objects: [
      { path: 'optimizer.pt', root: optimizerObject },
      { path: 'training_args.bin', root: argumentsObject },
    ],
    findings: [
      {
        code: 'unexplained-file',
        severity: 'note',
        path: 'notes.txt',
        offset: null,
        message: 'notes.txt is no file that the Trainer writes',
        effect: 'Its 212 bytes are counted as unexplained.',
        advice: 'Nothing needs to be done.',
      },
      {
        code: 'data-loader-missing',
        severity: 'warning',
        path: null,
        offset: null,
        message: 'No data-loader position was saved',
        effect: 'After a restart the sampler begins its epoch again and skips 1,000 batches, which reads them once more.',
        advice: 'Use a stateful data loader, or set ignore_data_skip and accept that samples repeat.',
      },
      {
        code: 'rng-count-differs',
        severity: 'error',
        path: 'rng_state_3.pth',
        offset: 14_336,
        message: 'The RNG state of rank 3 ends early',
        effect: 'Rank 3 would draw other random numbers after a restart, or fail to start.',
        advice: 'Copy the file again from where it was saved, or delete all rng_state files to start with new seeds.',
      },
    ],
    checks: {
      done: [
        'all 19 files are as long as their headers say',
        'every tensor of the index is in its file',
        'no tensor overlaps another',
        'optimizer states match the weights in number and shape',
      ],
      notDone: [
        'whether the values themselves are intact: the format has no checksums',
        'whether the code that loads it still fits',
      ],
    },
    resume: {
      verdict: 'partial',
      basis: 'header',
      coverage: { counted: 4, of: 4, unit: 'files' },
      present: ['weights', 'masterWeights', 'optimizer', 'scheduler', 'rng', 'trainerState'],
      missing: [{ component: 'dataLoader', effect: 'Data order restarts within the epoch.' }],
      blockedBy: [],
    },
    pickleImports: [
      { name: 'torch._utils._rebuild_tensor_v2', files: 1, expected: true, kind: 'usual', paths: ['optimizer.pt'] },
      { name: 'torch.FloatStorage', files: 1, expected: true, kind: 'usual', paths: ['optimizer.pt'] },
      {
        name: 'collections.OrderedDict',
        files: 6,
        expected: true,
        kind: 'usual',
        paths: ['optimizer.pt', 'scheduler.pt', 'rng_state_0.pth'],
      },
      {
        name: 'numpy.core.multiarray._reconstruct',
        files: 4,
        expected: true,
        kind: 'usual',
        paths: ['rng_state_0.pth', 'rng_state_1.pth', 'rng_state_2.pth'],
      },
      {
        name: 'transformers.training_args.TrainingArguments',
        files: 1,
        expected: true,
        kind: 'usual',
        paths: ['training_args.bin'],
      },
      { name: 'my_project.callbacks.WandbResume', files: 1, expected: false, kind: 'own', paths: ['training_args.bin'] },
    ],
    io: { bytesRead: 412_880, reads: 38, elapsedMs: 84 },
  } satisfies CheckpointReport);
}
