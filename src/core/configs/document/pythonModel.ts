/** What a Python file does with the model that it has loaded, before it is trained: casts of its weights, parts that are frozen. */
import type { ConfigDocument, ConfigMember } from './configNode.js';
import type { PythonCall } from './pythonCalls.js';
import type { TrainingStep } from '../trainedSteps.js';
import { textMember } from './pythonMembers.js';
import { trainingSteps } from './pythonTraining.js';

/** Keys of what is found; no argument has these names. */
export const castKey = 'model.to';
export const frozenKey = 'model.requires_grad';

/** By the methods of torch's modules. */
const castMethods: Readonly<Record<string, string>> = { float: 'float32', half: 'float16', bfloat16: 'bfloat16' };

/** The dtype of the last cast, and whether something of the model is frozen. @param load the call that loads it, of `text` */
export function pythonModel(text: string, load: PythonCall): ConfigMember[] {
  const name = /\b(\w{1,80})\s*(?::[^=\n]{1,80})?=\s*(?:\w{1,80}\.){0,3}$/.exec(
    text.slice(Math.max(0, load.span.start - 200), load.span.start),
  )?.[1];
  return [...castOf(text, load, name), ...(name === undefined ? [] : frozenOf(text, load, name))];
}

/** The steps where they are plain, else that there are some. */
function frozenOf(text: string, { span }: PythonCall, name: string): ConfigMember[] {
  if (!isFrozen(text, name)) return [];
  const steps = trainingSteps(text, name, span.end);
  return steps === null ? [textMember(frozenKey, 'False')] : [textMember(frozenKey, JSON.stringify(steps))];
}

/** Of the value of `frozenKey` that `pythonModel` gave; undefined where the steps are not known. */
export function stepsOfFrozen({ syntax }: ConfigDocument, value: string | undefined): TrainingStep[] | undefined {
  return syntax !== 'python' || value === undefined || value === 'False' ? undefined : (JSON.parse(value) as TrainingStep[]);
}

/** Behind the call itself, or of the variable that it is assigned to. */
function castOf(text: string, { span }: PythonCall, name: string | undefined): ConfigMember[] {
  const casts = [...text.matchAll(/(?:\b(\w{1,80})|\))\s{0,100}\.(float|half|bfloat16|to)\(([^()]{0,200})\)/g)].flatMap(
    (match) => {
      const isOfModel = match[1] === undefined ? match.index === span.end - 1 : match[1] === name;
      const method = match[2] ?? '';
      const dtype = method === 'to' ? /\btorch\.(float32|float|float16|half|bfloat16)\b/.exec(match[3] ?? '')?.[1] : method;
      return isOfModel && dtype !== undefined ? [castMethods[dtype] ?? dtype] : [];
    },
  );
  const last = casts.at(-1);
  return last === undefined ? [] : [textMember(castKey, last)];
}

/** `model.requires_grad_(False)` of it or a part, and loops over the parameters of these. */
function isFrozen(text: string, name: string): boolean {
  const calls = text.matchAll(
    /\b(\w{1,80})(?:\.\w{1,80}|\[[^\]\n]{0,80}\]){0,8}\.requires_grad_\(\s*(?:requires_grad\s*=\s*)?False\s*\)/g,
  );
  if ([...calls].some((match) => match[1] === name)) return true;
  const loops = [...text.matchAll(/\bfor\s[^:\n]{1,80}?\bin\s+(?:\w{1,20}\(){0,2}([\w.[\]:-]{1,200})/g)].filter(
    (match) => match[1]?.split(/[.[]/)[0] === name && /parameters$|modules$|children$|layers/.test(match[1]),
  );
  return loops.some(({ index }) => /\.requires_grad(?:_\(\s*(?![\s)]|True)|\s*=\s*(?![\s=]|True))/.test(loopAt(text, index)));
}

/** From `for` to the first line that is no deeper, within bounds. */
function loopAt(text: string, at: number): string {
  const depth = at - (text.lastIndexOf('\n', at) + 1);
  const [first = '', ...rest] = text.slice(at, at + mostOfLoop).split('\n');
  const end = rest.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= depth);
  return [first, ...(end === -1 ? rest : rest.slice(0, end))].join('\n');
}

/** Characters of a loop that freezes. */
const mostOfLoop = 2000;
