/** Programs that train nothing, whatever arguments they share with those that do: a model, a batch, a folder. */
import { isOfServer } from './servers.js';
import { entryOf } from '../../text/entryOf.js';

/** What they do with data or weights, at the beginning of the name or at its end. */
const converting =
  /^(?:analy[sz]e|convert(?:er|or)?|preprocess|tokenize|hf2mcore|hf2megads|mcore2hf|merge|export)(?:[_-][\w.]+)?\.py$|[_-](?:convert(?:er|or)?|conversion)\.py$/;

const inferring =
  /^(?:eval|evaluate|generate|infer|inference)(?:[_-]\w+)*\.py$|[_-](?:inference|generation|generation_server)\.py$/;

/** Modules of verl: `python3 -m verl.trainer.main_generation_server`; its `main_eval` rates answers that are there, without a model. */
const generating = /^(?:verl\.trainer\.)?main_generation(?:_server)?(?:\.py)?$/;
const rating = /^(?:verl\.trainer\.)?main_eval(?:\.py)?$/;

/** Commands of programs that also train. */
export const inferringCommands = {
  swift: ['infer', 'deploy', 'eval', 'app', 'rollout'],
  'llamafactory-cli': ['chat', 'webchat', 'api', 'eval'],
  axolotl: ['inference', 'evaluate', 'vllm-serve', 'lm-eval'],
  litgpt: ['generate', 'chat', 'serve', 'evaluate'],
  trl: ['vllm-serve', 'chat'],
} as const;
const convertingCommands: Readonly<Record<string, readonly string[]>> = {
  swift: ['export', 'merge-lora'],
  'llamafactory-cli': ['export'],
  axolotl: ['preprocess', 'merge-lora', 'merge-sharded-fsdp-weights', 'quantize'],
  litgpt: ['download', 'convert_to_litgpt', 'convert_from_litgpt', 'convert_pretrained_checkpoint', 'merge_lora'],
};

function hasCommand(programs: readonly string[], commands: Readonly<Record<string, readonly string[]>>): boolean {
  return programs.some((program, index) => entryOf(commands, program)?.includes(programs[index + 1] ?? '') === true);
}

/** `generate_and_train.py` does both. */
const trains = /[_-]and[_-](?:pre)?train/;

/** Whether a command converts, tokenizes, exports or compares: it neither trains nor serves. @param programs of one command, as `Launch` has them */
export function convertsAlone(programs: readonly string[]): boolean {
  return (
    programs.some((program) => isNamed(program, converting) || isNamed(program, rating)) ||
    hasCommand(programs, convertingCommands)
  );
}

/** Whether a command evaluates, generates or serves. @param programs of one command, as `Launch` has them */
export function infersAlone(programs: readonly string[]): boolean {
  return (
    isOfServer(programs) ||
    programs.some((program) => isNamed(program, inferring) || isNamed(program, generating)) ||
    hasCommand(programs, inferringCommands)
  );
}

function isNamed(program: string, names: RegExp): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return names.test(name) && !trains.test(name);
}
