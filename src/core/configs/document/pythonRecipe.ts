/**
 * A Python file that takes one recipe of NeMo 2 or of Megatron-Bridge and changes it: `recipe = llm.llama3_8b.pretrain_recipe(num_nodes=2)`, `recipe.trainer.max_steps = 100`. The
 * changes are the members of a config, under the keys of the recipe.
 */
import { limits } from '../../bytes/limits.js';
import type { ConfigMember, ConfigNode } from './configNode.js';
import { argumentsOf, endOf, expression, namedArgument, valueIn, type ValueOf } from './pythonArguments.js';
import { pythonCalls, withoutDocumentation } from './pythonCalls.js';
import { mapMember, textMember } from './pythonMembers.js';

/** What the document of such a file has for its program. */
export const nemoProgram = 'nemo_run';
export const bridgeProgram = 'megatron.bridge';

export interface PythonRecipe {
  program: string;
  members: ConfigMember[];
}

/** Null for files that take none, and for those of several, of which something else chooses one. */
export function pythonRecipe(file: string, valueOf: ValueOf): PythonRecipe | null {
  const isOfNemo = /^[ \t]*(?:from|import)[ \t]+nemo(?:_run)?\b/m.test(file);
  if (!isOfNemo && !/^[ \t]*from[ \t]+megatron\.bridge\b/m.test(file)) return null;
  const text = withoutDocumentation(file);
  // Tests, files that define recipes for others, and runs that evaluate alone.
  if (/^[ \t]*def test_|^def (?:pretrain|finetune)_recipe\b/m.test(text) || /\bskip_train\s{0,20}=\s{0,20}True\b/.test(text))
    return null;
  if ([...text.matchAll(/^def \w{1,150}_config\b/gm)].length > 1) return null;
  return isOfNemo ? nemoRecipe(text, valueOf) : bridgeRecipe(text, valueOf);
}

/** `llm.llama3_8b.pretrain_recipe(dir=…, num_nodes=…)` */
function nemoRecipe(text: string, valueOf: ValueOf): PythonRecipe | null {
  const found = placesOf(text, /\b(\w{1,60})\.(pretrain|finetune)_recipe[ \t]*\(/g);
  const [match, ...more] = found;
  // A model of transformers, whose weights are saved in other files.
  if (match === undefined || more.length > 0 || match[1]?.startsWith('hf_auto_model') === true) return null;
  const [, recipe = '', purpose = ''] = match;
  const [call] = pythonCalls(text, [`${recipe}.${purpose}_recipe`], valueOf);
  const changed = changesOf(text, assignedAt(text, match.index), valueOf);
  return {
    program: nemoProgram,
    members: [
      textMember('recipe', recipe),
      textMember('purpose', purpose),
      ...(call?.keywords ?? []),
      ...changed.members,
      ...(changed.unread.some((path) => /^model(?:\.config)?$/.test(path)) ? [textMember('changed', 'model')] : []),
    ],
  };
}

/** `llama3_8b_pretrain_config()`, or a model by AutoBridge or by its provider's class. */
function bridgeRecipe(text: string, valueOf: ValueOf): PythonRecipe | null {
  if (!/(?<![\w.])(?:pretrain|finetune)[ \t]*\(/.test(text) && !text.includes('ConfigContainer')) return null;
  const recipes = placesOf(text, /\b(\w{1,150}_config)[ \t]*\(/g).filter(([, name = '']) => purpose.test(name));
  const containers = placesOf(text, /(?:\b_?(?:pretrain|sft|peft)_common|\bConfigContainer)[ \t]*\(/g);
  const [match, ...more] = recipes.length > 0 ? recipes : containers;
  if (match === undefined || more.length > 0) return null;
  const [bridge] = pythonCalls(text, ['AutoBridge.from_hf_pretrained'], valueOf);
  const [provider, ...others] = placesOf(text, /\b(\w{1,40}ModelProvider\d\w{0,20})[ \t]*\(/g);
  const model = bridge?.first ?? null;
  const changed = changesOf(text, assignedAt(text, match.index), valueOf);
  if (recipes.length === 0 && model === null && provider === undefined) return null;
  return {
    program: bridgeProgram,
    members: [
      ...(recipes.length > 0 ? [textMember('recipe', match[1] ?? '')] : []),
      ...(model === null ? [] : [{ key: 'hf_model', keySpan: model.span, value: model }]),
      ...(model === null && provider !== undefined && others.length === 0 ? [textMember('provider', provider[1] ?? '')] : []),
      ...changed.members,
    ],
  };
}

const purpose = /^[A-Za-z]\w{1,100}_(?:pretrain|sft|peft|finetune)_/;

/** Calls, not where the function is defined. */
function placesOf(text: string, call: RegExp): RegExpExecArray[] {
  return [...text.matchAll(call)]
    .filter(({ index }) => !/\bdef[ \t]+$/.test(text.slice(Math.max(0, index - 20), index)))
    .slice(0, limits.callsOfFunction);
}

/** The name that a call's value gets. */
function assignedAt(text: string, at: number): string | null {
  const lead = text.slice(Math.max(0, at - 200), at);
  return /(?:^|\n)[ \t]*(\w{1,80})[ \t]*(?::[^=\n]{1,80})?=[ \t]*(?:\w{1,40}\.){0,4}$/.exec(lead)?.[1] ?? null;
}

interface Changes {
  members: ConfigMember[];
  /** Paths of what expressions give. */
  unread: string[];
}

/** `name.train.train_iters = 100` as maps within maps. */
function changesOf(text: string, name: string | null, valueOf: ValueOf): Changes {
  const root: OpenMap = new Map();
  const unread: string[] = [];
  if (name === null) return { members: [], unread };
  for (const match of text.matchAll(/^[ \t]*(\w{1,80})((?:\.\w{1,60}){1,6})[ \t]*=(?!=)/gm)) {
    if (match[1] !== name) continue;
    const start = match.index + match[0].length;
    const path = (match[2] ?? '').slice(1).split('.');
    const end = endOf(text, start, '\n', text.length);
    const written = text.slice(start, end);
    const value = valueIn(written, start, valueOf);
    if (value === null) unread.push(path.join('.'));
    put(root, path, value ?? (path[0] === 'log' ? madeAt(text, start, valueOf) : null) ?? expression(written, end));
  }
  return { members: closed(root), unread };
}

/**
 * An object that takes the place of the recipe's, with the name of its class: `run.Config(nl.ModelCheckpoint, save_top_k=2)`, `nl.ModelCheckpoint(save_top_k=2)`, or a
 * name that is assigned such a one.
 */
function madeAt(text: string, at: number, valueOf: ValueOf, depth = 0): OpenMap | null {
  const line = text.slice(at, endOf(text, at, '\n', text.length));
  const name = /^\s*(\w{1,80})\s*(?:,|\)|$)/.exec(line)?.[1];
  if (depth > deepestObject) return null;
  if (name !== undefined) {
    const [assigned, ...more] = [...text.matchAll(/^[ \t]*(\w{1,80})[ \t]*=(?!=)/gm)].filter((match) => match[1] === name);
    if (assigned === undefined || more.length > 0) return null;
    return madeAt(text, assigned.index + assigned[0].length, valueOf, depth + 1);
  }
  const [call, maker = ''] = /^\s*([\w.]{1,80})[ \t]*\(/.exec(line) ?? [];
  if (call === undefined) return null;
  const { spans } = argumentsOf(text, at + call.length);
  const isOfRun = /^(?:run\.)?(?:Config|Partial)$/.test(maker);
  const className = isOfRun ? text.slice(spans[0]?.start, spans[0]?.end).trim() : maker;
  if (!/(?:^|\.)(?:ModelCheckpoint|NeMoLogger)$/.test(className)) return null;
  const made: OpenMap = new Map([['_target_', textMember('_target_', className).value]]);
  for (const { start, end } of isOfRun ? spans.slice(1) : spans) {
    const argument = text.slice(start, end);
    const named = namedArgument(argument, start, valueOf);
    if (named === null) return null;
    const behind = start + argument.indexOf('=') + 1;
    made.set(named.key, named.value ?? madeAt(text, behind, valueOf, depth + 1) ?? expression(text.slice(behind, end), end));
  }
  return made;
}

/** Objects within objects: a logger has a checkpoint callback. */
const deepestObject = 4;

type OpenMap = Map<string, ConfigNode | OpenMap>;

function put(root: OpenMap, path: readonly string[], value: ConfigNode | OpenMap): void {
  let map = root;
  for (const key of path.slice(0, -1)) {
    const known = map.get(key);
    const next: OpenMap = known instanceof Map ? known : new Map();
    map.set(key, next);
    map = next;
  }
  map.set(path.at(-1) ?? '', value);
}

function closed(map: OpenMap): ConfigMember[] {
  return [...map].map(([key, value]) =>
    value instanceof Map ? mapMember(key, closed(value)) : { key, keySpan: value.span, value },
  );
}
