import { type ConfigMap, type ConfigMember, type ConfigNode, type ConfigScalar, nowhere, type Span } from './configNode.js';
import { isServerImage, serverNames } from './servers.js';
import type { ShellWord } from './shellWord.js';

/** A flag or an override with its values, as words. */
export interface Flag {
  /** `['num_layers']`, `['trainer', 'save_freq']` */
  path: string[];
  keySpan: Span;
  values: ConfigScalar[];
}

/** A command that runs a program: what it runs, and the flags of all programs in it. */
export interface Launch {
  programs: string[];
  flags: Flag[];
}

const launchers = new Set([
  'torchrun',
  'deepspeed',
  'accelerate',
  'python',
  'python3',
  'composer',
  'srun',
  'mpirun',
  'mpiexec',
  'horovodrun',
  'llamafactory-cli',
  'axolotl',
  'trl',
  'tune',
  'litgpt',
  'swift',
  'lightning',
  'fabric',
  'nemo',
  'fairseq-train',
  'fairseq-hydra-train',
  'mlpstorage',
  'dlio_benchmark',
  ...serverNames,
]);

/** The model that `vllm serve` is given without a flag, under the name that vLLM has for it. */
export const servedModelKey = 'model_tag';

/** They run what they are given, which may be anything. */
const shells = new Set(['bash', 'sh', 'zsh', 'eval', 'exec', 'env', 'nohup', 'time']);

/** Commands of `megatron` (swift/cli/_megatron/main.py of ms-swift), a word that is a value of flags elsewhere. */
const megatronCommands = new Set(['pt', 'sft', 'rlhf']);

/** @param next the word behind it */
export function isLauncher(text: string, next?: string): boolean {
  const name = baseName(text);
  return launchers.has(name) || isServerImage(name) || (name === 'megatron' && megatronCommands.has(next ?? ''));
}

const mostPrograms = 20;

/** `trainer.save_freq=20`, also with Hydra's `+` and `++`. */
const override = /^\+{0,2}[A-Za-z_][\w@/]*(?:\.[\w@/-]+)*=/;

/** The flags of a command; null where it runs nothing that trains. Words of a sourced file are flags without a command. */
export function launchOf(words: readonly ShellWord[], { isSourced = false } = {}): Launch | null {
  const programs: string[] = [];
  const flags: Flag[] = [];
  let open: Flag | null = null;
  let hasModule = false;
  let hasScript = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) continue;
    const { text } = word;
    const previous = words[index - 1]?.text;
    if (text === '--' || text === '&&') {
      // Behind it stands the command that a launcher starts.
      hasScript = false;
      hasModule = false;
      open = null;
    } else if (previous === '-m' || previous === '--module') {
      programs.push(text);
      hasModule = true;
      open = null;
    } else if (isFlag(text)) {
      open = flagOf(word);
      if (text !== '-m' && !(text === '-c' && previous !== undefined && shells.has(baseName(previous)))) flags.push(open);
      if (text.includes('=')) open = null;
    } else if (!hasScript && isScript(text, open)) {
      programs.push(text);
      hasScript = true;
      open = null;
    } else if (open?.values.length === 0 && serverNames.has(text)) {
      open.values.push(scalarOf(text, word.span));
    } else if (!hasScript && !hasModule && (isLauncher(text, words[index + 1]?.text) || shells.has(baseName(text)))) {
      programs.push(baseName(text));
      open = null;
    } else if (override.test(text) && (open === null || open.values.length > 0)) {
      flags.push(overrideOf(word));
      open = null;
    } else if (open !== null) {
      // Behind a value, options that another program fills in: `--num-query-groups 8 ${OTHER_OPTIONS}`.
      if (open.values.length === 0 || !isVariable(text)) open.values.push(scalarOf(text, word.span));
    } else if (isServing(programs))
      flags.push({ path: [servedModelKey], keySpan: word.span, values: [scalarOf(text, word.span)] });
    else if (programs.length < mostPrograms) programs.push(baseName(text));
  }
  if (isSourced) return flags.length === 0 ? null : { programs: [], flags };
  const isLaunch = hasScript || hasModule || programs.some((program, index) => isLauncher(program, programs[index + 1]));
  return isLaunch && flags.length > 0 ? { programs, flags } : null;
}

/** Behind `vllm serve` stands the model. */
function isServing(programs: readonly string[]): boolean {
  return programs.at(-1) === 'serve' && programs.at(-2) === 'vllm';
}

function isVariable(text: string): boolean {
  return /^\$(?:\w+|\{\w+\}|\((?!\().*\))$/s.test(text);
}

function isFlag(text: string): boolean {
  return /^--?[A-Za-z]/.test(text);
}

/** A script that is run. Behind a flag that takes a file it is that flag's value. */
function isScript(text: string, open: Flag | null): boolean {
  if (!text.endsWith('.py')) return false;
  const name = open?.path.join('_') ?? '';
  return open === null || open.values.length > 0 || !/config|file|script/.test(name);
}

function flagOf({ text, span }: ShellWord): Flag {
  const equals = text.indexOf('=');
  const dashes = text.startsWith('--') ? 2 : 1;
  const name = equals === -1 ? text.slice(dashes) : text.slice(dashes, equals);
  const isLiteral = text.length === span.end - span.start;
  const keySpan = equals === -1 || !isLiteral ? span : { start: span.start, end: span.start + equals };
  const valueSpan = isLiteral ? { start: span.start + equals + 1, end: span.end } : span;
  return { path: pathOf(name), keySpan, values: equals === -1 ? [] : [scalarOf(text.slice(equals + 1), valueSpan)] };
}

/** `trainer.save_freq=20` (Hydra); `+` and `++` add keys. */
function overrideOf({ text, span }: ShellWord): Flag {
  const equals = text.indexOf('=');
  const isLiteral = text.length === span.end - span.start;
  const name = text.slice(0, equals).replace(/^\++/, '');
  return {
    path: pathOf(name),
    keySpan: isLiteral ? { start: span.start, end: span.start + equals } : span,
    values: [scalarOf(text.slice(equals + 1), isLiteral ? { start: span.start + equals + 1, end: span.end } : span)],
  };
}

function pathOf(name: string): string[] {
  return name
    .split('.')
    .slice(0, 20)
    .map((part) => part.replaceAll('-', '_'));
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** Quotation marks mean nothing to the program that gets the word, so a number is a number. */
function scalarOf(text: string, span: Span): ConfigScalar {
  const isNumber = /^[+-]?\d{1,15}(?:\.\d{0,15})?(?:[eE][+-]?\d{1,3})?$/.test(text);
  const value = isNumber ? Number(text) : text === 'null' || text === 'None' ? null : text;
  return { kind: 'scalar', span, value, isQuoted: false };
}

/** A map that is being filled. */
interface OpenMap {
  members: Map<string, { keySpan: Span; value: ConfigNode | OpenMap }>;
}

/** Flags as a map: no value is `true`, several are a list, dots are maps within. `#SBATCH` options are the map of that name. */
export function flagMap(length: number, launch: Launch | null, batch: readonly ShellWord[]): ConfigMap {
  const root: OpenMap = { members: new Map() };
  const options = launchOf(batch, { isSourced: true })?.flags ?? [];
  for (const { path, ...flag } of options) put(root, { ...flag, path: ['SBATCH', ...path] });
  for (const flag of launch?.flags ?? []) put(root, flag);
  return closed(root, { start: 0, end: length });
}

function put(root: OpenMap, { path, keySpan, values }: Flag): void {
  let map = root;
  for (const key of path.slice(0, -1)) {
    const known = map.members.get(key)?.value;
    const next: OpenMap = known !== undefined && 'members' in known && !('kind' in known) ? known : { members: new Map() };
    map.members.set(key, { keySpan, value: next });
    map = next;
  }
  const [first] = values;
  const value: ConfigNode =
    first === undefined
      ? { kind: 'scalar', span: keySpan, value: true, isQuoted: false }
      : values.length === 1
        ? first
        : { kind: 'list', span: spanFrom(first.span, values[values.length - 1]?.span), items: values };
  map.members.set(path[path.length - 1] ?? '', { keySpan, value });
}

/** Values may come from variables, which are written elsewhere. */
function spanFrom(first: Span, last: Span | undefined): Span {
  return last === undefined || last.end < first.start ? first : { start: first.start, end: last.end };
}

function closed(map: OpenMap, span: Span = nowhere): ConfigMap {
  const members: [string, ConfigMember][] = [];
  for (const [key, { keySpan, value }] of map.members)
    members.push([key, { key, keySpan, value: 'kind' in value ? value : closed(value, keySpan) }]);
  return { kind: 'map', span, members: new Map(members) };
}
