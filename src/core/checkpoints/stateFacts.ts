/** Settings and positions that people look for first: learning rate, betas, epoch, batch size, scheduler, data position. */
import type { ObjectNode, ObjectReport, StateFact } from './checkpointReport.js';

/** What a key of an object means; the same key has the same meaning in all frameworks that are read. */
const factKeys = new Map<string, { id: string; label: string }>(
  Object.entries({
    lr: { id: 'learningRate', label: 'learning rate' },
    learning_rate: { id: 'learningRate', label: 'learning rate' },
    initial_lr: { id: 'initialLearningRate', label: 'initial learning rate' },
    base_lrs: { id: 'baseLearningRates', label: 'base learning rates of the scheduler' },
    _last_lr: { id: 'lastLearningRate', label: 'last learning rate' },
    betas: { id: 'betas', label: 'Adam betas' },
    eps: { id: 'epsilon', label: 'epsilon' },
    weight_decay: { id: 'weightDecay', label: 'weight decay' },
    momentum: { id: 'momentum', label: 'momentum' },
    epoch: { id: 'epoch', label: 'epoch' },
    global_step: { id: 'step', label: 'step' },
    iteration: { id: 'step', label: 'step' },
    global_steps: { id: 'step', label: 'step' },
    iter_num: { id: 'step', label: 'step' },
    last_epoch: { id: 'schedulerStep', label: 'scheduler step' },
    max_steps: { id: 'maxSteps', label: 'steps planned' },
    num_train_epochs: { id: 'epochs', label: 'epochs planned' },
    num_input_tokens_seen: { id: 'tokensSeen', label: 'tokens seen' },
    global_train_tokens_seen: { id: 'tokensSeen', label: 'tokens seen' },
    train_batch_size: { id: 'batchSize', label: 'batch size' },
    global_batch_size: { id: 'batchSize', label: 'batch size' },
    train_micro_batch_size_per_gpu: { id: 'deviceBatchSize', label: 'batch size a device' },
    micro_batch_size: { id: 'deviceBatchSize', label: 'batch size a device' },
    per_device_train_batch_size: { id: 'deviceBatchSize', label: 'batch size a device' },
    gradient_accumulation_steps: { id: 'gradientAccumulation', label: 'gradient accumulation' },
    seq_length: { id: 'sequenceLength', label: 'sequence length' },
    seq_len: { id: 'sequenceLength', label: 'sequence length' },
    sequence_length: { id: 'sequenceLength', label: 'sequence length' },
    max_seq_length: { id: 'sequenceLength', label: 'sequence length' },
    max_seq_len: { id: 'sequenceLength', label: 'sequence length' },
    lr_scheduler_type: { id: 'scheduler', label: 'scheduler' },
    warmup_steps: { id: 'warmupSteps', label: 'warm-up steps' },
    optim: { id: 'optimizer', label: 'optimizer' },
    seed: { id: 'seed', label: 'seed' },
    data_seed: { id: 'dataSeed', label: 'seed of the data order' },
    bf16: { id: 'bf16', label: 'bf16 training' },
    fp16: { id: 'fp16', label: 'fp16 training' },
    save_steps: { id: 'saveSteps', label: 'steps between saves' },
    save_total_limit: { id: 'saveTotalLimit', label: 'checkpoints kept' },
    best_metric: { id: 'bestMetric', label: 'best metric' },
    best_loss: { id: 'bestLoss', label: 'best loss' },
    samples_seen: { id: 'samplesSeen', label: 'samples seen' },
    global_samples: { id: 'samplesSeen', label: 'samples seen' },
    consumed_train_samples: { id: 'samplesSeen', label: 'samples seen' },
    scale: { id: 'lossScale', label: 'loss scale' },
    group_paddings: { id: 'partitionPadding', label: 'elements of padding in the partition' },
  }),
);

const MAX_DEPTH = 4;
const MAX_NODES = 5_000;

/** Finds the facts in the trees; each once a file, the one nearest to the root. What every rank says alike is said once. */
export function findStateFacts(objects: readonly ObjectReport[]): StateFact[] {
  const said = new Set<string>();
  return objects.flatMap(({ path, root }) =>
    factsOfObject(path, root).filter(({ value, keyPath }) => {
      const isNew = !said.has(`${keyPath}\n${value}`);
      said.add(`${keyPath}\n${value}`);
      return isNew;
    }),
  );
}

function factsOfObject(path: string, root: ObjectNode): StateFact[] {
  const facts = new Map<string, StateFact>();
  const configs: Visited[] = [];
  addFacts(facts, path, [{ node: root, keyPath: '' }], MAX_DEPTH, configs);
  // What a job was started with comes behind what it had reached.
  addFacts(facts, path, configs, MAX_DEPTH - 1);
  return [...facts.values()];
}

interface Visited {
  node: ObjectNode;
  keyPath: string;
}

/** A copy of the config in the state of DeepSpeed. */
const configKey = 'ds_config';

/** @param configs receives configs, which are not followed then */
function addFacts(
  facts: Map<string, StateFact>,
  path: string,
  from: readonly Visited[],
  mostDepth: number,
  configs?: Visited[],
): void {
  let level = from;
  let visited = 0;
  for (let depth = 0; depth <= mostDepth && level.length > 0 && visited < MAX_NODES; depth++) {
    const next: Visited[] = [];
    for (const { node, keyPath } of level) {
      for (const child of node.children ?? []) {
        visited += 1;
        const childPath = keyPath === '' ? child.key : `${keyPath}.${child.key}`;
        if (child.key === configKey && configs !== undefined) {
          configs.push({ node: child, keyPath: childPath });
          continue;
        }
        addFact(facts, path, child, childPath);
        // log_history and other lists repeat what the state says once; param_groups are worth their first entry.
        const isRepeated = node.kind === 'list' && child.key !== '0';
        if (child.children !== undefined && !isRepeated && child.key !== 'log_history')
          next.push({ node: child, keyPath: childPath });
      }
    }
    level = next;
  }
}

function addFact(facts: Map<string, StateFact>, path: string, node: ObjectNode, keyPath: string): void {
  const known = factKeys.get(node.key);
  if (known === undefined || facts.has(known.id)) return;
  const value = valueText(node);
  if (value === undefined) return;
  facts.set(known.id, { ...known, value, path, keyPath });
}

/** A leaf as it is, a short sequence of leaves in a row. Nothing for what is not set. */
function valueText(node: ObjectNode): string | undefined {
  if (node.kind === 'number' || node.kind === 'boolean' || node.kind === 'text') return node.text;
  const items = node.kind === 'tuple' || node.kind === 'list' ? node.children : undefined;
  if (items === undefined || items.length === 0 || items.length > 8 || items.some((item) => item.kind !== 'number'))
    return undefined;
  return items.map((item) => item.text).join(', ');
}
