import type { PlanNote, TrainingPlan } from '../configs/trainingPlan.js';
import { formatBytes, formatCount, formatPerParameter } from '../text/units.js';
import type { CheckpointSize } from './checkpointSize.js';
import type { Estimate, LoadedWeights } from './estimate.js';
import type { EstimateReport } from './estimateReport.js';
import { servingAssumptions } from './servingAssumptions.js';

type Assumption = EstimateReport['assumptions'][number];

/** What an estimate takes for granted, beside the terms of its checkpoint, which name their own sources. */
export function assumptionsOf(estimate: Estimate): Assumption[] {
  const { model, plan, loaded, pinned, adapter, trained, stateful, kind, used } = estimate;
  const isCounted = (note: PlanNote) => note === 'partly-frozen' && trained !== null;
  const notes = (plan.notes ?? [])
    .filter((note) => !isCounted(note))
    .map((note) => ({ ...noteWords[note], source: `${kind.id}: ${note}` }));
  return [
    ...(model?.basis === 'shapes' ? [guessedSizes(model.modelType)] : []),
    ...(model?.basis === 'class-defaults' ? [defaultSizes(model.defaulted)] : []),
    ...(model?.extras ?? []).filter(({ name }) => name === 'output-layer').map(untiedOutput),
    ...(plan.isBaseFrozen === true && adapter === null ? [{ ...noteWords['partly-frozen'], source: `${kind.id}: frozen` }] : []),
    ...notes,
    ...ownDefaults(used),
    ...(plan.adapter?.isDefaultRank === true ? [{ ...defaultRank, source: `${kind.id}: rank` }] : []),
    ...(loaded === null ? [] : loadedLines(loaded, plan, pinned)),
    ...(pinned?.major === 4 && plan.adapter === undefined ? [pinnedLine(pinned)] : []),
    ...(plan.stateLayers === undefined ? [] : [turnsLine(stateful !== null, kind.id)]),
    ...(isUncounted(plan) ? [{ ...uncountedAdapter, source: `${kind.id}: adapter` }] : []),
    ...adapterLines(adapter),
    ...servingAssumptions(estimate),
  ];
}

/** Values that the command line of a script, or its environment, may set otherwise. */
function ownDefaults(used: Estimate['used']): Assumption[] {
  const keys = [...used.values()]
    .filter(({ node }) => node.kind === 'scalar' && node.isOwnDefault === true)
    .map(({ path }) => path.join('.'));
  if (keys.length === 0) return [];
  const more = keys.length > mostNamed ? ` and ${keys.length - mostNamed} more` : '';
  return [
    {
      about: 'values',
      text: `${keys.slice(0, mostNamed).join(', ')}${more}: the script’s own ${keys.length === 1 ? 'default' : 'defaults'}; its command line or environment may set another value`,
      source: 'defaults in the script',
    },
  ];
}

function defaultSizes(keys: readonly string[]): Assumption {
  const more = keys.length > mostNamed ? ` and ${keys.length - mostNamed} more` : '';
  return {
    about: 'parameters',
    text: `${keys.slice(0, mostNamed).join(', ')}${more}: not set, so the defaults of the model’s class are taken`,
    source: 'class defaults of transformers',
  };
}

/** In what weights are loaded that a run sets no dtype for: of an adapter only where that changes a checkpoint. */
function loadedLines(
  { dtype, isAssumed, inOlderRelease }: LoadedWeights,
  { adapter, loadedDtype }: TrainingPlan,
  pinned: Estimate['pinned'],
): Assumption[] {
  if (inOlderRelease === null && (adapter !== undefined || !isAssumed)) return [];
  const why =
    loadedDtype === 'of-model'
      ? 'weights are loaded in the dtype of the model'
      : pinned === null
        ? 'no dtype is set for the weights, so transformers 5 loads them in that of the model'
        : `no dtype is set for the weights, so ${pinned.requirement} (${pinned.path}) loads them in that of the model`;
  const which = isAssumed ? `${dtype} is assumed, as no config here sets it` : dtype;
  const older =
    inOlderRelease === null || pinned !== null ? '' : `; transformers 4 loads them in 32 bits: ${sizeInWords(inOlderRelease)}`;
  return [{ about: 'precision', text: `${why}: ${which}${older}`, source: 'from_pretrained of transformers' }];
}

function pinnedLine({ requirement, path }: NonNullable<Estimate['pinned']>): Assumption {
  return {
    about: 'precision',
    text: `no dtype is set for the weights, and ${requirement} (${path}) loads them in 32 bits`,
    source: 'from_pretrained of transformers',
  };
}

function sizeInWords({ bytes, bytesPerParameter }: CheckpointSize): string {
  return bytes === null ? `${formatPerParameter(bytesPerParameter)} bytes per parameter` : `${formatBytes(bytes)} per checkpoint`;
}

function untiedOutput({ parameters }: { parameters: number }): Assumption {
  return {
    about: 'parameters',
    text: `the output layer is tied to the embedding, as transformers 5 does in a new model though tie_word_embeddings is false; a checkpoint with an output layer of its own has ${formatCount(parameters)} parameters more`,
    source: 'class of transformers 5',
  };
}

/** An adapter that is known not to be counted, and not because of another file, which is said already. */
function isUncounted({ adapter, notes }: TrainingPlan): boolean {
  return adapter?.kind === 'other' && notes?.includes('adapter-elsewhere') !== true;
}

const uncountedAdapter = {
  about: 'adapter',
  text: 'only an adapter is trained and saved, of a kind that is not counted or of sizes that are not set here, so the size of a checkpoint is not known',
};

const defaultRank = { about: 'adapter', text: 'the adapter’s rank is the framework’s default' };

/** Of keys and modules in one line. */
const mostNamed = 8;

function guessedSizes(modelType: string | null): Assumption {
  const which = modelType === null || modelType === '' ? 'the model' : `the architecture ${modelType}`;
  return {
    about: 'parameters',
    text: `Stowage does not know ${which}; they are estimated from the sizes that most configs have`,
    source: 'shapes of a Llama-like decoder',
  };
}

function turnsLine(isCounted: boolean, kind: string): Assumption {
  const rest = isCounted ? 'which alone a checkpoint has' : 'so the optimizer state of a checkpoint is smaller than shown';
  return {
    about: 'optimizer',
    text: `layers take turns: one at a time has optimizer state, ${rest}`,
    source: `${kind}: layers in turn`,
  };
}

function adapterLines(adapter: Estimate['adapter']): Assumption[] {
  if (adapter === null) return [];
  const line = (targets: readonly string[], text: string): Assumption[] =>
    targets.length === 0
      ? []
      : [{ about: 'adapter', text: `${targets.slice(0, mostNamed).join(', ')}: ${text}`, source: 'target_modules' }];
  return [
    ...line(adapter.unresolved, 'which modules are meant is not known, so the adapter is not counted'),
    ...line(adapter.unmatched, 'no module of the model has this name'),
  ];
}

const noteWords: Readonly<Record<PlanNote, { about: string; text: string }>> = {
  'default-steps': { about: 'steps', text: 'the steps are the framework’s default' },
  'default-epochs': { about: 'epochs', text: 'the epochs are the framework’s default' },
  'default-save-interval': { about: 'save interval', text: 'the save interval is the framework’s default' },
  'default-keep': { about: 'checkpoints kept', text: 'how many checkpoints stay is the framework’s default' },
  'keep-open': { about: 'checkpoints kept', text: 'how many checkpoints stay is not known here' },
  'default-batch': { about: 'batch', text: 'the batch is the framework’s default' },
  'default-accumulation': { about: 'accumulation', text: 'the accumulation of gradients is the framework’s default' },
  'default-sequence': { about: 'sequence length', text: 'the sequence length is the framework’s default' },
  'default-precision': { about: 'precision', text: 'the precision is the framework’s default' },
  'default-optimizer': { about: 'optimizer', text: 'the optimizer is the framework’s default' },
  'adapter-rank-missing': {
    about: 'adapter',
    text: 'no rank (lora_r) is set: axolotl has no default and PEFT fails without one, so its own default of 8 is sized',
  },
  'default-adapter-targets': { about: 'adapter', text: 'the adapter’s targets are the defaults for this architecture' },
  'adapter-elsewhere': {
    about: 'adapter',
    text: 'an adapter of before is trained further; its adapter_config.json is not found, so its rank is not known and it is not counted',
  },
  'default-model-sizes': {
    about: 'parameters',
    text: 'sizes of the model that the config leaves out are the framework’s defaults',
  },
  'default-tokenizer': { about: 'parameters', text: 'the tokenizer is the framework’s default' },
  'default-zero-stage': { about: 'ZeRO stage', text: 'the ZeRO stage is the framework’s default' },
  'engine-of-launcher': {
    about: 'saving',
    text: 'the launcher chooses the engine; DeepSpeed is assumed, as in the framework’s own scripts',
  },
  'zero3-of-launcher': {
    about: 'saving',
    text: 'the launcher chooses the engine; DeepSpeed ZeRO-3 is assumed, as in the framework’s own scripts',
  },
  'plain-launch': {
    about: 'saving',
    text: 'no engine is set here, so a launch without one is sized; the launcher’s accelerate file decides (DeepSpeed ZeRO-3 that gathers weights: 14 bytes per trained parameter)',
  },
  'precision-filled-in': { about: 'precision', text: 'the precision is filled in by the Trainer; bfloat16 is assumed' },
  'batch-ramps-up': { about: 'steps', text: 'the batch ramps up, which is counted; tokens a step are those of the last batch' },
  'stops-as-batch-grows': {
    about: 'saving',
    text: 'training stops and saves each time the batch grows, which is not counted; tokens a step are those of the last batch',
  },
  'ends-by-tokens': {
    about: 'steps',
    text: 'the run ends at its tokens before its steps or samples, with sequences of full length; a curriculum of shorter ones takes more steps',
  },
  'ends-by-tokens-as-lengths-grow': { about: 'steps', text: 'the run ends at its tokens before its steps or samples' },
  'lengths-grow': {
    about: 'sequence length',
    text: 'sequences grow as training goes on (curriculum learning), which is counted; tokens a step are those of the longest',
  },
  'lengths-not-followed': {
    about: 'sequence length',
    text: 'sequences grow as training goes on (curriculum learning), by a schedule that is not known here: steps and tokens are of sequences of full length, so a run takes more steps for its tokens, or fewer tokens for its steps',
  },
  'trains-nothing': {
    about: 'saving',
    text: 'the config evaluates, generates or serves: nothing is trained, and no checkpoint is written',
  },
  'trains-if-asked': {
    about: 'saving',
    text: 'nothing is trained as it stands: the program trains only with do_train, which is not set; sizes are those of a run with it',
  },
  'saves-never': { about: 'saving', text: 'saving is turned off' },
  'model-alone': {
    about: 'saving',
    text: 'the file sets the model alone; precision, optimizer and saving are set by what sources it',
  },
  'weights-exported': {
    about: 'saving',
    text: 'hf_checkpointer also writes the weights, into folders of their own that all stay; their bytes are counted, their number is not among the checkpoints',
  },
  'exports-alone': { about: 'saving', text: 'only the weights are written, by hf_checkpointer; no run can resume from them' },
  'saves-model-at-end': { about: 'saving', text: 'no checkpoints are saved; the model is, when training ends' },
  'save-folder-elsewhere': {
    about: 'saving',
    text: 'no folder to save to is set here, so nothing is saved unless another config of the run sets it',
  },
  'saves-at-end': { about: 'saving', text: 'no interval above 0 is set, so one checkpoint is written when training ends' },
  'interval-refused': { about: 'save interval', text: 'the program stops at the interval that is set, before it saves' },
  'interval-required': {
    about: 'save interval',
    text: 'no interval is set, and the program does not start without one where it is to save',
  },
  'saves-best': { about: 'saving', text: 'saves when an evaluation is the best so far, so how often is not known before' },
  'keeps-best': { about: 'checkpoints kept', text: 'the best checkpoint stays beside the newest' },
  'newest-again': {
    about: 'checkpoints kept',
    text: 'each save writes a whole checkpoint twice: one of the interval, and the newest one (save_last), which is among those that stay',
  },
  'stays-each-epoch': { about: 'checkpoints kept', text: 'one more checkpoint stays for each epoch, which is not counted' },
  'interval-is-share': { about: 'save interval', text: 'the save interval is a share of all steps' },
  'interval-not-in-steps': { about: 'save interval', text: 'the save interval is not counted in steps' },
  'last-save-weights-only': { about: 'saving', text: 'the last checkpoint has weights only' },
  'ephemeral-checkpoints': {
    about: 'saving',
    text: 'more checkpoints are written in between, of which only the newest stay',
  },
  'vocabulary-of-tokenizer': { about: 'parameters', text: 'the vocabulary is that of the tokenizer that is named' },
  'vocabulary-may-grow': {
    about: 'parameters',
    text: 'the run enlarges the embeddings where its tokenizer has more tokens than they have rows; how many is not in the config, so these are not counted',
  },
  'vocabulary-padded': { about: 'parameters', text: 'the vocabulary is padded, as the framework does' },
  'weights-cast': {
    about: 'precision',
    text: 'the script casts the weights after it has loaded them: to the dtype that is sized',
  },
  'partly-frozen': {
    about: 'optimizer',
    text: 'only a part of the model is trained, so its optimizer state is smaller than shown, and a checkpoint takes at most what is shown',
  },
  'ranks-reduced': {
    about: 'adapter',
    text: 'AdaLoRA begins with the rank init_r in each matrix, which is sized; saved weights shrink to target_r on average as the script reduces ranks, the optimizer’s state does not',
  },
  'merged-at-end': {
    about: 'checkpoint',
    text: 'the adapter is merged into the model, which is saved whole when training ends; these weights are not counted',
  },
  'merged-and-counted': {
    about: 'checkpoint',
    text: 'the adapter is merged into the model when training ends, and both are kept; these weights are counted',
  },
  'base-converted': {
    about: 'checkpoint',
    text: 'the model is first converted into the same folder; these weights are not counted',
  },
  'state-dropped': {
    about: 'optimizer',
    text: 'the optimizer drops its state at the steps at which checkpoints are saved, so these have none',
  },
  'answers-generated': {
    about: 'tokens a step',
    text: 'at most: a sequence is a prompt with the answer that the run generates, so what the run reads is not estimated',
  },
  'critic-not-counted': { about: 'checkpoint', text: 'a critic is trained and saved beside the model, which is not counted' },
  'run-of-recipe': {
    about: 'steps',
    text: 'steps and save interval that are not set here are those of the recipe as published',
  },
  'rest-of-recipe': {
    about: 'config',
    text: 'what is not set here is the recipe’s, which is not read; some keep the optimizer’s state in fewer bytes',
  },
  'base-config-missing': { about: 'config', text: 'a config that this one builds upon was not found' },
};
