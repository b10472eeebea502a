/** What a Python file gives a trainer of transformers, TRL or accelerate: its arguments, the model's name, an adapter. */
import { type ConfigMember, type ConfigNode, nowhere } from './configNode.js';
import { pythonCalls, withoutDocumentation, type PythonCall, type ValueOf } from './pythonCalls.js';
import { textMember } from './pythonMembers.js';
import { pythonModel } from './pythonModel.js';
import { pythonPeft } from './pythonPeft.js';

/** Classes of arguments: transformers/training_args.py, and trl/trainer, whose configs extend it. */
const argumentClasses = [
  'TrainingArguments',
  'Seq2SeqTrainingArguments',
  'SFTConfig',
  'DPOConfig',
  'GRPOConfig',
  'KTOConfig',
  'ORPOConfig',
  'CPOConfig',
  'RewardConfig',
  'PRMConfig',
  'RLOOConfig',
] as const;
const trainerClasses = [
  'Trainer',
  'SFTTrainer',
  'DPOTrainer',
  'GRPOTrainer',
  'KTOTrainer',
  'ORPOTrainer',
  'RewardTrainer',
  'PRMTrainer',
  'CPOTrainer',
  'RLOOTrainer',
] as const;

/** The class that a Python file loads its model with; no argument has this name. */
export const modelClassKey = 'from_pretrained';

/** Where the trainer saves the model by itself (Trainer.save_model), mostly when training ends; no argument has this name. */
export const endSaveKey = 'save_model';

/** PEFT's function that keeps in 32 bits what a quantized model has in 16; no argument has this name. */
export const preparedKey = 'prepare_model_for_kbit_training';

/** Classes whose models are loaded. */
const mostLoads = 10;

export interface PythonTrainer {
  /** The class of the arguments. */
  program: string;
  members: ConfigMember[];
}

/** Null for a file that gives a trainer no arguments, and for one with several trainers, as tests have. */
export function pythonTrainer(file: string, valueOf: ValueOf): PythonTrainer | null {
  if (!argumentClasses.some((name) => file.includes(name))) return null;
  const text = withoutDocumentation(file);
  // Classes of the same names that a program has of its own.
  const names = argumentClasses.filter((name) => !text.includes(`class ${name}`));
  const [call, ...more] = pythonCalls(text, names, valueOf).filter(({ keywords }) => keywords.length > 0);
  if (call === undefined || more.length > 0 || !isTraining(text, call)) return null;
  return {
    program: call.name,
    members: [
      ...call.keywords,
      ...modelOf(text, valueOf),
      ...pythonCalls(text, ['save_model'], valueOf)
        .slice(0, 1)
        .map(() => textMember(endSaveKey, 'True')),
      ...(/\bprepare_model_for_kbit_training\s*\(/.test(text) ? [textMember(preparedKey, 'True')] : []),
      ...pythonPeft(text, valueOf, pythonCalls(text, trainerClasses, valueOf)),
      ...quantizationOf(pythonCalls(text, ['BitsAndBytesConfig'], valueOf)[0]),
    ],
  };
}

/** Arguments of a run, and something that trains: inference makes arguments too, to read data as a trainer does. */
function isTraining(text: string, { keywords }: PythonCall): boolean {
  return /\.train\s*\(/.test(text) && keywords.some(({ key }) => runKeys.has(key));
}

/** What a run has that is meant to be kept. */
const runKeys: ReadonlySet<string> = new Set([
  'save_steps',
  'save_strategy',
  'save_total_limit',
  'max_steps',
  'num_train_epochs',
  'per_device_train_batch_size',
  'gradient_accumulation_steps',
]);

/** `from_pretrained("NAME", torch_dtype=…)` of a model, or the name that a trainer gets itself. */
function modelOf(text: string, valueOf: ValueOf): ConfigMember[] {
  const loads = [...text.matchAll(/\b(\w{1,80})\.from_pretrained\b/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => /Model|LM$|ForSequence/.test(name) && !/Tokenizer|Processor|Peft/.test(name));
  const functions = [...new Set(loads)].slice(0, mostLoads).map((name) => `${name}.from_pretrained`);
  const calls = pythonCalls(text, functions, valueOf);
  const names = [
    ...pythonCalls(text, trainerClasses, valueOf).flatMap(({ keywords }) => valuesOf(keywords, 'model')),
    ...calls.flatMap(({ first, keywords }) => [
      ...(first === null ? [] : [first]),
      ...valuesOf(keywords, 'pretrained_model_name_or_path'),
    ]),
  ];
  const value = names.find((node) => node.kind === 'scalar' && typeof node.value === 'string');
  const dtype = dtypeOf(calls);
  return value === undefined
    ? []
    : [
        { key: 'model_name_or_path', keySpan: value.span, value },
        ...(dtype === undefined ? [] : [dtype]),
        ...classOf(text, calls, value),
      ];
}

/** As it is written, or a name that no dtype has where an expression decides it. */
function dtypeOf(calls: readonly PythonCall[]): ConfigMember | undefined {
  const isDtype = (key: string): boolean => key === 'torch_dtype' || key === 'dtype';
  const written = calls.flatMap(({ keywords }) => keywords).find(({ key }) => isDtype(key));
  if (written !== undefined || !calls.some(({ unread }) => unread.some(isDtype))) return written;
  return { key: 'torch_dtype', keySpan: nowhere, value: { kind: 'scalar', span: nowhere, value: 'computed', isQuoted: true } };
}

/** The class that loads this model, the number of labels that it is loaded with, and what is done with it then. */
function classOf(text: string, calls: readonly PythonCall[], model: ConfigNode): ConfigMember[] {
  const call = calls.find(
    ({ first, keywords }) => first === model || valuesOf(keywords, 'pretrained_model_name_or_path').includes(model),
  );
  if (call === undefined) return [];
  const name = call.name.slice(0, -'.from_pretrained'.length);
  const { span } = model;
  return [
    { key: modelClassKey, keySpan: span, value: { kind: 'scalar', span, value: name, isQuoted: true } },
    ...call.keywords.filter(({ key }) => key === 'num_labels'),
    ...pythonModel(text, call),
  ];
}

function valuesOf(keywords: readonly ConfigMember[], name: string): ConfigNode[] {
  return keywords.filter(({ key }) => key === name).map(({ value }) => value);
}

function quantizationOf(call: PythonCall | undefined): ConfigMember[] {
  return (call?.keywords ?? []).filter(({ key }) => key === 'load_in_4bit' || key === 'load_in_8bit');
}
