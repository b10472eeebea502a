/**
 * Training checkpoints that are one torch file: the keys of the dict at its root say which framework wrote it, and where it keeps step
 * and version.
 */
import { entriesOf, itemsOf, member, numberOf } from '../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../formats/pickle/pickleValue.js';
import type { Classifier } from '../formats/sink/fileSink.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { ComponentId } from '../tensors/component.js';
import { componentOfPath } from '../tensors/componentOfPath.js';

/** What the dict at a file's root says of the save. */
export interface TorchDict {
  layout: LayoutId;
  framework: string;
  version: string | null;
  step: number | null;
  /** What such a save holds for resuming; undefined where that is up to the training code. */
  expected?: readonly ComponentId[];
}

interface Kind {
  layout: LayoutId;
  framework: string;
  /** Keys that together only this framework writes. */
  keys: readonly string[];
  version?: (root: PickleValue) => PickleValue | undefined;
  step: (root: PickleValue) => PickleValue | undefined;
  expected?: (root: PickleValue) => readonly ComponentId[];
}

/** The first whose keys are all there decides. */
const kinds: readonly Kind[] = [
  {
    // lightning/pytorch/trainer/connectors/checkpoint_connector.py: dump_checkpoint
    layout: 'lightning',
    framework: 'lightning',
    keys: ['pytorch-lightning_version'],
    version: (root) => member(root, 'pytorch-lightning_version'),
    step: (root) => member(root, 'global_step'),
    expected: expectedOfLightning,
  },
  {
    // composer/utils/checkpoint.py: _save_checkpoint; composer/core/state.py: state_dict
    layout: 'composer',
    framework: 'composer',
    keys: ['state', 'rng'],
    version: (root) => member(member(member(member(root, 'state'), 'metadata'), 'composer_env_info'), 'composer_version'),
    step: stepOfComposer,
    expected: () => ['weights', 'optimizer', 'scheduler', 'rng', 'dataLoader'],
  },
  {
    layout: 'torch-file',
    framework: 'deepspeed',
    keys: ['ds_version'],
    version: (root) => member(root, 'ds_version'),
    step: (root) => member(root, 'global_steps'),
  },
  {
    layout: 'torch-file',
    framework: 'megatron-lm',
    keys: ['checkpoint_version', 'args', 'iteration'],
    step: (root) => member(root, 'iteration'),
  },
  {
    // fairseq/trainer.py: state_dict
    layout: 'torch-file',
    framework: 'fairseq',
    keys: ['optimizer_history', 'model'],
    step: (root) => member(itemsOf(member(root, 'optimizer_history'))?.at(-1), 'num_updates'),
  },
  {
    layout: 'torch-file',
    framework: 'nanoGPT',
    keys: ['model', 'model_args', 'iter_num'],
    step: (root) => member(root, 'iter_num'),
  },
  {
    // litgpt/pretrain.py: state
    layout: 'litgpt',
    framework: 'litgpt',
    keys: ['model', 'iter_num', 'step_count'],
    step: (root) => member(root, 'step_count'),
    expected: () => ['weights', 'optimizer', 'dataLoader'],
  },
  { layout: 'torch-file', framework: 'torchtune', keys: ['seed', 'epochs_run'], step: (root) => member(root, 'steps_run') },
];

/** Names that ModelCheckpoint of Lightning makes, as `epoch=0-step=4.ckpt`, with the step (lightning/pytorch/callbacks/model_checkpoint.py). */
export const lightningName = /(?:^|[-_])step=(\d{1,15})(?:-v\d{1,6})?\.ckpt$/;

/** The framework that wrote a dict with these keys; undefined for one of the training code's own. */
export function torchDictOf(root: PickleValue): TorchDict | undefined {
  const keys = new Set(entriesOf(root)?.keys);
  const kind = kinds.find((candidate) => candidate.keys.every((key) => keys.has(key)));
  if (kind === undefined || (kind.framework === 'composer' && stepOfComposer(root) === undefined)) return undefined;
  const version = kind.version?.(root);
  const step = numberOf(kind.step(root));
  return {
    layout: kind.layout,
    framework: kind.framework,
    version: typeof version === 'string' ? version : null,
    step: step !== undefined && Number.isSafeInteger(step) && step >= 0 ? step : null,
    ...(kind.expected === undefined ? {} : { expected: kind.expected(root) }),
  };
}

/** Lightning itself saves no random state, so that dropout starts anew. A run without schedulers has an empty list of them. */
function expectedOfLightning(root: PickleValue): readonly ComponentId[] {
  const schedulers = itemsOf(member(root, 'lr_schedulers'))?.length ?? 0;
  return ['weights', 'optimizer', ...(schedulers > 0 ? (['scheduler'] as const) : []), 'rng', 'trainerState'];
}

/** Older releases have the timestamp under its class's name; counters are numbers or pairs of a number and its unit. */
function stepOfComposer(root: PickleValue): PickleValue | undefined {
  const timestamp = member(member(root, 'state'), 'timestamp');
  const batch = member(member(timestamp, 'Timestamp') ?? timestamp, 'batch');
  return numberOf(batch) === undefined ? itemsOf(batch)?.[0] : batch;
}

/**
 * How the tensors of a dict are told apart where its keys do not mean what they mostly do; undefined where they do. Lightning's weight
 * averaging swaps: `state_dict` has the averaged weights then, `current_model_state` those that are trained.
 */
export function tensorsOfTorchDict(root: PickleValue): Classifier | undefined {
  if (torchDictOf(root)?.layout !== 'lightning' || member(root, 'current_model_state') === undefined) return undefined;
  return (keyPath) => {
    const [first] = keyPath;
    if (first === 'state_dict' || first === 'averaging_state') return { component: 'ema', part: 'whole' };
    return first === 'current_model_state' ? { component: 'weights', part: 'whole' } : componentOfPath(keyPath);
  };
}
