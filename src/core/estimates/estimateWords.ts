/** Estimates in words: which config, which term, where it comes from, what was assumed. */
import type { MissingModel } from '../configs/countModel.js';
import type { ModelOrigin } from '../configs/configKind.js';
import type { ConfigProblem } from '../configs/document/configNode.js';
import type { OptimizerId } from '../configs/trainingPlan.js';
import type { SizeTermName, TermSource } from './checkpointSize.js';

const termNames: Readonly<Record<SizeTermName, string>> = {
  weights: 'weights',
  masterWeights: 'master',
  firstMoment: 'first moment',
  secondMoment: 'second moment',
  otherState: 'other optimizer state',
  exportedWeights: 'exported weights',
  ema: 'averaged weights',
  gradients: 'gradients',
};

export function termInWords(name: SizeTermName): string {
  return termNames[name];
}

const termSources: Readonly<Record<TermSource, string>> = {
  'precision-given': 'the precision that the config names',
  'precision-not-set': 'no precision is set, so the weights are taken to be kept in 32 bits',
  'mixed-precision-master': 'mixed precision: this writer keeps 16-bit weights and a 32-bit copy in the optimizer',
  'mixed-precision-f32': 'mixed precision: this writer keeps the weights in 32 bits and casts them for each pass',
  'parameter-dtype-given': 'the dtype that the config gives for parameters',
  'model-dtype': 'the dtype of the model itself, as none is set for loading it',
  'pure-16-bit': 'this writer trains in 16 bits throughout',
  'optimizer-given': 'the optimizer that the config names',
  'optimizer-default': 'the framework’s default optimizer',
  'optimizer-assumed': 'assumed: Adam, as the config names no optimizer that is known',
  'optimizer-shapes': 'the optimizer that the config names; its state goes by the shapes of the tensors',
  'optimizer-square': 'assumed: matrices of 4,096 x 4,096, as the state of this optimizer goes by shapes that are not known here',
  'moment-dtype-given': 'the dtype that the config gives for the optimizer’s state',
  'moments-of-copy': 'moments of the 32-bit copy of the layer that is trained; the copy itself is not saved',
  'optimizer-own-dtype': 'the optimizer that the config names; bitsandbytes keeps its state in 32 bits',
  'zero3-gathered': 'ZeRO-3 gathers the 16-bit weights into one file when it saves',
  'trainer-export': 'the Trainer saves model.safetensors beside DeepSpeed’s own files',
  'export-given': 'the config asks for weights in a file of their own',
  'average-given': 'the config keeps an average of the weights',
  'gradients-given': 'the config asks for gradients to be saved',
  'frozen-apart': 'layers that are trained in 32 bits, the others in the dtype that they were loaded in',
  'frozen-fragments': 'DeepSpeed’s files hold frozen weights by themselves, too, from ZeRO-2 on',
  'adapter-f32': 'PEFT trains and saves adapters in 32 bits; the base model is not saved again',
  'adapter-dtype': 'this writer trains and saves adapters in the dtype that the config gives',
  'adapter-deepspeed':
    'DeepSpeed’s engine casts the adapter to 16 bits and keeps a 32-bit copy; the base model is not saved again',
  'adapter-cast': 'TRL 0.27 and later train and save adapters of quantized models in bf16; the base model is not saved again',
  'adapter-cast-given': 'the dtype that the config sets for the adapter; the base model is not saved again',
  'adapter-of-base': 'PEFT is not to cast the adapter, so it keeps the dtype of the base model, which is not saved again',
  'adapter-whole': 'modules that are trained whole stay in the dtype of the base model',
  'adapter-megatron':
    'Megatron trains the adapter in 16 bits with a 32-bit copy in the optimizer; the base model is not saved again',
  'adapter-twice': 'DeepSpeed’s own files hold the adapter once more',
  'adapter-formats': 'the adapter is saved once more, in a format of its own',
  'adapter-with-base': 'the same files hold the base model, too',
  'adapter-merged': 'the whole model is saved too, with the adapter merged into it',
  'master-remainder': 'FusedAdam keeps the 16 bits of each 32-bit weight that the 16-bit weight does not hold',
  'assumed-mixed-precision': 'assumed: mixed precision with a 32-bit copy, as the config says nothing of training',
};

export function sourceInWords(source: TermSource): string {
  return termSources[source];
}

const optimizerNames: Readonly<Record<OptimizerId, string>> = {
  adam: 'Adam',
  'adam-8bit': '8-bit Adam',
  'adam-4bit': '4-bit Adam',
  adafactor: 'Adafactor',
  lion: 'Lion',
  'lion-8bit': '8-bit Lion',
  sgd: 'SGD',
  'sgd-momentum': 'SGD with momentum',
  adagrad: 'Adagrad',
  rmsprop: 'RMSprop',
  muon: 'Muon',
  shampoo: 'Shampoo',
  soap: 'SOAP',
  galore: 'GaLore',
  'galore-8bit': '8-bit GaLore',
  apollo: 'APOLLO',
  lomo: 'LOMO',
  'schedule-free': 'schedule-free Adam',
  unknown: 'Adam',
};

export function optimizerInWords(optimizer: OptimizerId | null): string {
  return optimizerNames[optimizer ?? 'unknown'];
}

/** Where a model's sizes were found. */
export function originInWords(origin: ModelOrigin): string {
  switch (origin.kind) {
    case 'file':
      return origin.path;
    case 'hub-cache':
      return `the local cache of the Hugging Face Hub (${origin.name})`;
    case 'published':
      return `Stowage’s own table of published architectures (${origin.name})`;
  }
}

/** Why no model is counted, and what to do. */
export function missingModelInWords(
  { why, name }: MissingModel,
  problems: readonly ConfigProblem[] = [],
): { text: string; advice: string } {
  const whole = name === null ? 'The model' : shortened(name);
  const unknown = unknownSizes(problems);
  switch (why) {
    case 'not-set':
      if (unknown.length > 0)
        return {
          text: `No model is counted: the file does not determine ${listInWords(unknown)}`,
          advice: `Write ${unknown.length === 1 ? 'its value' : 'their values'}, or give the config.json of a model of the same sizes (--model).`,
        };
      return {
        text: 'No model is counted: the config sets none, not all of its sizes, or one whose parts Stowage does not know',
        advice: giveModel,
      };
    case 'not-found':
      return isFilledIn(whole)
        ? {
            text: `${whole} is not counted: ${isPrinted(whole) ? 'it is what a command prints, and no command is run' : 'another program fills it in'}`,
            advice: giveModel,
          }
        : {
            text: `${whole} is not counted: its config.json is neither beside this config nor in the local cache of the Hugging Face Hub, and Stowage’s table does not list it`,
            advice: `Download its config.json, or give one of the same sizes (--model).`,
          };
    case 'unknown-architecture':
      return { text: `${whole} is not counted: the architecture is not supported, or sizes are missing`, advice: giveModel };
  }
}

/** Characters of a name that sentences have. */
const longestName = 200;

function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}

/** Keys of sizes whose values are not known, as the file names them. */
function unknownSizes(problems: readonly ConfigProblem[]): string[] {
  return problems
    .filter(({ code, path }) => (code === 'unresolved' || code === 'computed') && sizeName.test(path.at(-1) ?? ''))
    .map(({ path }) => path.join('.'));
}

const sizeName =
  /(?:^|_)(?:layers?|n_layer|hidden|heads?|n_head|n_embd|vocab|ffn|intermediate|d_model|dim|width|depth|model_size|model_name)(?:_|$)/;

function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

const giveModel = 'Give the config.json of the model, or of one of the same sizes (--model).';

/** `$MODEL`, `{{ model }}`, `<path>`. */
function isFilledIn(name: string): boolean {
  return /[$<]|\{\{/.test(name);
}

const problemWords: Readonly<Record<ConfigProblem['code'], string>> = {
  syntax: 'cannot be read',
  'duplicate-key': 'is written twice; the last one counts',
  'too-large': 'the file is too large for a config',
  'too-deep': 'the file is nested too deeply for a config',
  unresolved: 'is filled in by another program',
  computed: 'is known only when the script runs',
  circular: 'leads back to itself',
  'unknown-anchor': 'has no anchor before it',
  'other-launch': 'another command of this script runs it too; the one with the most arguments is estimated, others are left out',
  branched: 'set in several branches of the script; the last one counts',
  'quoted-number': 'is a number between quotation marks',
  'invalid-value': 'is no value that this key takes',
  'file-missing': 'was not found',
};

/** @param detail of the problem: what the file has there */
export function problemInWords(code: ConfigProblem['code'], detail: string): string {
  return (code === 'unresolved' ? unknownInWords(detail) : null) ?? problemWords[code];
}

/** Why a value of a script is not known; null where it has no expansion of a shell. */
function unknownInWords(text: string): string | null {
  if (isPrinted(text)) return 'is what a command prints, and no command is run';
  const sum = /\$\(\((.{0,200})/s.exec(text)?.[1];
  if (sum === undefined) return null;
  const names = [...new Set(sum.match(/[A-Za-z_]\w*/g) ?? [])].slice(0, mostNames);
  if (names.length === 0) return 'is not computed';
  return names.length === 1
    ? `is computed from ${listInWords(names)}, which is not known here`
    : `is computed from ${listInWords(names)}, of which not all are known here`;
}

/** Variables of one sum that are named. */
const mostNames = 4;

/** `$(…)` and a command between backticks. */
function isPrinted(text: string): boolean {
  return /\$\((?!\()|`/.test(text);
}
