/** What a Python file gives a trainer of transformers, TRL or accelerate: its arguments, the model's name, an adapter. */
import { type ConfigMember, type ConfigNode, nowhere } from './configNode.js';
import { expression } from './pythonArguments.js';
import { pythonCalls, withoutDocumentation, type PythonCall, type ValueOf } from './pythonCalls.js';
import { setAfter } from './pythonSetAfter.js';
import { textMember } from './pythonMembers.js';
import { pythonModel } from './pythonModel.js';
import { pythonPeft } from './pythonPeft.js';
import { endSaves } from './pythonSaves.js';
import { isOfUnsloth, unslothLoad } from './pythonUnsloth.js';

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

/** PEFT's function that keeps in 32 bits what a quantized model has in 16; no argument has this name. */
export const preparedKey = 'prepare_model_for_kbit_training';

/** Classes whose models are loaded. */
const mostLoads = 10;

export interface PythonTrainer {
  /** The class of the arguments. */
  program: string;
  members: ConfigMember[];
}

/** Null for a file that trains nothing with one of these trainers, and for one with several of them, as tests have. */
export function pythonTrainer(file: string, valueOf: ValueOf): PythonTrainer | null {
  if (![...argumentClasses, ...ownTrainers].some((name) => file.includes(name))) return null;
  const text = withoutDocumentation(file);
  if (!/\.train\s*\(/.test(text) || /^[ \t]*def test_/m.test(text) || definesTrainer(text)) return null;
  const trainers = pythonCalls(text, trainerClasses, valueOf);
  const run = runOf(text, trainers, valueOf);
  if (run === null) return null;
  return {
    program: run.program,
    members: [
      ...run.keywords,
      ...modelOf(text, trainers, valueOf),
      ...endSaves(text),
      ...(/\bprepare_model_for_kbit_training\s*\(/.test(text) ? [textMember(preparedKey, 'True')] : []),
      ...pythonPeft(text, valueOf, trainers),
      ...quantizationOf(pythonCalls(text, ['BitsAndBytesConfig'], valueOf)[0]),
    ],
  };
}

/** Trainers whose names nothing else has. */
const ownTrainers = trainerClasses.filter((name) => name !== 'Trainer');

/** The file of a library that has one of them, which runs nothing by itself. */
function definesTrainer(text: string): boolean {
  return ownTrainers.some((name) => text.includes(`class ${name}(`)) && !text.includes('__main__');
}

/** The arguments of a run: those that are made, or all defaults of a trainer of TRL that gets none. */
function runOf(
  text: string,
  trainers: readonly PythonCall[],
  valueOf: ValueOf,
): { program: string; keywords: readonly ConfigMember[] } | null {
  // Classes of the same names that a program has of its own.
  const isOwn = (name: string): boolean => text.includes(`class ${name}`);
  // Other programs have trainers of the same names.
  const isImported = /^[ \t]*(?:from|import)[ \t]+trl\b/m.test(text);
  const ofTrl = isImported ? trainers.filter(({ name }) => name !== 'Trainer' && !isOwn(name)) : [];
  const names = argumentClasses.filter((name) => !isOwn(name));
  const made = pythonCalls(text, names, valueOf);
  const read = made.filter(({ keywords }) => keywords.length > 0);
  const [call, ...more] = read.length > 0 ? read : made.filter(({ open }) => open.length > 0);
  if (more.length > 0) return null;
  if (call !== undefined) {
    // Inference makes arguments too, to read data as a trainer does.
    const given = [...call.keywords, ...call.open, ...openRest(call), ...setAfter(text, call.span, valueOf)];
    const keywords = [...new Map(given.map((member) => [member.key, member])).values()];
    const isRun = keywords.some(({ key }) => runKeys.has(key)) || (isOfTrl(call.name) && ofTrl.length > 0);
    return isRun ? { program: call.name, keywords } : null;
  }
  const [trainer, ...others] = ofTrl;
  if (trainer === undefined || others.length > 0 || made.length > 0 || getsArguments(trainer)) return null;
  return { program: trainer.name.replace(/Trainer$/, 'Config'), keywords: [] };
}

/** What a map that is not read, or a part of one, may set: all that a run is decided by. */
function openRest({ keywords, open, unread }: PythonCall): ConfigMember[] {
  const given = new Set([...keywords, ...open].map(({ key }) => key));
  const isFree = (key: string): boolean => !given.has(key) && !decidedBy[key]?.some((other) => given.has(other));
  const names = unread.includes('**') ? Object.keys(decidedBy).filter(isFree) : unread.filter((key) => !given.has(key));
  return names.map((key) => ({ key, keySpan: nowhere, value: expression('**', 0) }));
}

/** Arguments of a run with those without which they decide nothing. */
const decidedBy: Readonly<Record<string, readonly string[]>> = {
  max_steps: [],
  num_train_epochs: ['max_steps'],
  save_strategy: ['save_steps'],
  save_steps: ['save_strategy'],
  save_total_limit: [],
  optim: [],
  bf16: ['fp16'],
  per_device_train_batch_size: [],
  gradient_accumulation_steps: [],
};

function isOfTrl(name: string): boolean {
  return name.endsWith('Config');
}

/** `args=…`, or the second argument. */
function getsArguments({ keywords, unread, isAlone }: PythonCall): boolean {
  return !isAlone || keywords.some(({ key }) => key === 'args') || unread.some((key) => key === 'args' || key === '**');
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
function modelOf(text: string, trainers: readonly PythonCall[], valueOf: ValueOf): ConfigMember[] {
  const loads = [...text.matchAll(/\b(\w{1,80})\.from_pretrained\b/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => /Model|LM$|\wFor[A-Z]/.test(name) && !/Tokenizer|Processor|Extractor|Config|Peft/.test(name));
  const functions = [...new Set(loads)].slice(0, mostLoads).map((name) => `${name}.from_pretrained`);
  const calls = pythonCalls(text, functions, valueOf);
  const names = [
    ...trainers.flatMap(({ first, keywords }) => [...(first === null ? [] : [first]), ...valuesOf(keywords, 'model')]),
    ...calls.flatMap(namesIn),
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

/** As it is written, or the expression that decides it. */
function dtypeOf(calls: readonly PythonCall[]): ConfigMember | undefined {
  const isDtype = (key: string): boolean => key === 'torch_dtype' || key === 'dtype';
  const written = calls.flatMap(({ keywords }) => keywords).find(({ key }) => isDtype(key));
  return written ?? calls.flatMap(({ open }) => open).find(({ key }) => isDtype(key));
}

/** The class that loads this model, the number of labels that it is loaded with, and what is done with it then. */
function classOf(text: string, calls: readonly PythonCall[], model: ConfigNode): ConfigMember[] {
  const call = calls.find((candidate) => namesIn(candidate).includes(model));
  if (call === undefined) return [];
  const name = call.name.slice(0, -'.from_pretrained'.length);
  const { span } = model;
  return [
    { key: modelClassKey, keySpan: span, value: { kind: 'scalar', span, value: name, isQuoted: true } },
    ...call.keywords.filter(({ key }) => key === 'num_labels' || isQuantization(key)),
    ...(isOfUnsloth(name) ? unslothLoad(call) : []),
    ...pythonModel(text, call),
  ];
}

/** What a model that is loaded is called: `model_name` is a name of Unsloth's. */
function namesIn({ first, keywords }: PythonCall): ConfigNode[] {
  return [
    ...(first === null ? [] : [first]),
    ...valuesOf(keywords, 'pretrained_model_name_or_path'),
    ...valuesOf(keywords, 'model_name'),
  ];
}

function valuesOf(keywords: readonly ConfigMember[], name: string): ConfigNode[] {
  return keywords.filter(({ key }) => key === name).map(({ value }) => value);
}

function quantizationOf(call: PythonCall | undefined): ConfigMember[] {
  return (call?.keywords ?? []).filter(({ key }) => isQuantization(key));
}

function isQuantization(key: string): boolean {
  return key === 'load_in_4bit' || key === 'load_in_8bit';
}
