/** What Unsloth takes where a Python file does not say it (unsloth/models/loader.py, llama.py and vision.py at 015bdef0). */
import { type ConfigMember, type ConfigNode, nowhere } from './configNode.js';
import type { PythonCall } from './pythonCalls.js';
import { textMember } from './pythonMembers.js';

/** A file whose model is Unsloth's; no argument has this name. */
export const unslothKey = 'unsloth';

/** Its classes, and the function of each that puts an adapter on a model. */
const classes = ['FastLanguageModel', 'FastModel', 'FastVisionModel', 'FastTextModel'] as const;
export const unslothAdapters = classes.map((name) => `${name}.get_peft_model`);

export function isOfUnsloth(className: string): boolean {
  return classes.some((name) => name === className);
}

/** Weights are loaded in 4 bits unless something else is asked for. @param call of `from_pretrained` */
export function unslothLoad({ keywords, unread }: PythonCall): ConfigMember[] {
  const isSet = [...keywords.map(({ key }) => key), ...unread].some((key) => loads.has(key));
  return [textMember(unslothKey, 'True'), ...(isSet ? [] : [{ key: 'load_in_4bit', keySpan: nowhere, value: yes }])];
}

const yes: ConfigNode = { kind: 'scalar', span: nowhere, value: true, isQuoted: false };

const loads: ReadonlySet<string> = new Set([
  ...['load_in_4bit', 'load_in_8bit', 'load_in_16bit', 'load_in_fp8', 'full_finetuning', 'quantization_config', '**'],
]);

/** All of a decoder's layers; a model that reads images has the modules that a regular expression finds. */
const usualTargets = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];
const usualRank = 16;
const embedding = 'embed_tokens';

/** An adapter under PEFT's names; null where a call does not decide it. */
export function unslothAdapter({ name, keywords }: PythonCall): ConfigMember[] | null {
  const given = new Map(keywords.map((member) => [member.key, member]));
  const isOfLanguage = name.startsWith('FastLanguageModel.');
  const targets =
    textsOf(given.get('target_modules')?.value) ?? (isOfLanguage && !given.has('target_modules') ? usualTargets : null);
  // Parts that are left out leave modules of the same names out.
  const isScoped = !isOfLanguage && keywords.some(({ key, value }) => key.startsWith('finetune_') && !isTrue(value));
  if (targets === null || isScoped) return null;
  const saved = textsOf(given.get('modules_to_save')?.value) ?? [];
  // An embedding is trained whole wherever it is named.
  const whole = targets.includes(embedding) && isOfLanguage ? [...new Set([...saved, embedding])] : saved;
  const own = whole === saved ? targets : targets.filter((target) => target !== embedding);
  const rest = keywords.filter(({ key }) => key !== 'target_modules' && key !== 'modules_to_save');
  return [
    ...(given.has('r') ? [] : [numberMember('r', usualRank)]),
    ...rest,
    listMember('target_modules', own),
    ...(whole.length === 0 ? [] : [listMember('modules_to_save', whole)]),
  ];
}

function isTrue(node: ConfigNode): boolean {
  return node.kind === 'scalar' && node.value === true;
}

/** Texts of a list; null for all else. */
function textsOf(node: ConfigNode | undefined): string[] | null {
  if (node?.kind !== 'list') return null;
  return node.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
}

function numberMember(key: string, value: number): ConfigMember {
  return { key, keySpan: nowhere, value: { kind: 'scalar', span: nowhere, value, isQuoted: false } };
}

function listMember(key: string, texts: readonly string[]): ConfigMember {
  const items = texts.map((value): ConfigNode => ({ kind: 'scalar', span: nowhere, value, isQuoted: true }));
  return { key, keySpan: nowhere, value: { kind: 'list', span: nowhere, items } };
}
