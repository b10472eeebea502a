/** What a Python file freezes of its model, or trains again, where that is written plainly: no branch that something else takes, and no name that is computed. */
import type { TrainingStep } from '../trainedSteps.js';

/** Steps in one file. */
const mostSteps = 100;
/** `    model.model.layers[:16].requires_grad_(False)`. */
const switchForm =
  /^([ \t]*)(\w{1,80})((?:\.\w{1,80}|\[[^\]\n]{0,40}\]){0,8}?)\.requires_grad_\(\s*(?:requires_grad\s*=\s*)?(True|False)\s*\)/gm;
/** `    for name, p in model.model.named_parameters():`. */
const loopForm =
  /^([ \t]*)for[ \t]([^:\n]{1,60}?)[ \t]in[ \t](enumerate\()?(\w{1,80})((?:\.\w{1,80}|\[[^\]\n]{0,40}\]){0,8}?)(\.(?:named_)?parameters\(\))?\)?[ \t]*:/gm;
/** What sets it, of whatever. */
const setForm = /\.requires_grad(?:_\(|\s*=(?!=))/g;

/**
 * The steps in the order in which they are written; null where one is not plain, or there is none.
 * @param after from where on the model is there, which `name` is assigned to
 */
export function trainingSteps(text: string, name: string, after: number): TrainingStep[] | null {
  const block = blockAfter(text, after);
  const found: { at: number; sets: number; steps: TrainingStep[] | null }[] = [];
  for (const [head, indent = '', root, path = '', value] of matchesIn(text, switchForm))
    if (root === name) found.push({ at: head.at, sets: 1, steps: stepsIn(indent, block, [stepOf(path, value === 'True')]) });
  for (const [head, indent = '', variables = '', enumerated, root, path = '', call = ''] of matchesIn(text, loopForm)) {
    const body = bodyOf(text, head.at + head.text.length, indent.length);
    const sets = body.join('\n').match(setForm)?.length ?? 0;
    if (root !== name || sets === 0) continue;
    const loop = { variables: variables.split(',').map((part) => part.trim()), isNumbered: enumerated !== undefined, path, call };
    found.push({ at: head.at, sets, steps: stepsIn(indent, block, stepsOfLoop(loop, body)) });
  }
  const sets = found.reduce((sum, one) => sum + one.sets, 0);
  if (found.length === 0 || found.length > mostSteps || sets !== (text.match(setForm)?.length ?? 0)) return null;
  const steps: TrainingStep[] = [];
  for (const { at, steps: own } of found.sort((left, right) => left.at - right.at)) {
    if (own === null || at < after || at > block.end) return null;
    for (const step of own) steps.push(step);
  }
  return steps;
}

function* matchesIn(text: string, form: RegExp): Generator<[{ at: number; text: string }, ...(string | undefined)[]]> {
  for (const match of text.matchAll(form)) {
    const [whole, ...parts] = match;
    yield [{ at: match.index, text: whole }, ...parts];
  }
}

interface Block {
  indent: number;
  /** Where a line begins further left. */
  end: number;
}

/** The block of the line that loads the model, behind it. */
function blockAfter(text: string, after: number): Block {
  const indent = indentOf(text.slice(text.lastIndexOf('\n', after) + 1, after + 1));
  let at = text.indexOf('\n', after);
  while (at !== -1) {
    const end = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, end === -1 ? text.length : end);
    if (line.trim() !== '' && !line.trimStart().startsWith(')') && indentOf(line) < indent) return { indent, end: at };
    at = end;
  }
  return { indent, end: text.length };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** In the block itself: deeper ones are of branches and functions. */
function stepsIn(indent: string | undefined, block: Block, steps: (TrainingStep | null)[] | null): TrainingStep[] | null {
  if ((indent ?? '').length !== block.indent || steps === null) return null;
  const known = steps.filter((step) => step !== null);
  return known.length === steps.length ? known : null;
}

/** `.model.layers[:16].mlp`: at most one index or slice of layers. */
function stepOf(path: string, isTrained: boolean): TrainingStep | null {
  const [, before = '', index, below = ''] = /^((?:\.\w+)*)(?:\[([^\]]*)\])?((?:\.\w+)*)$/.exec(path) ?? [];
  if (path !== `${before}${index === undefined ? '' : `[${index}]`}${below}`) return null;
  const step = { isTrained, path: before.slice(1) };
  if (index === undefined) return step;
  const layers = layersOf(index);
  return layers == null ? null : { ...step, layers, ...(below === '' ? {} : { below: below.slice(1) }) };
}

/** `16`, `:16`, `-4:`. */
function layersOf(index: string): TrainingStep['layers'] | null {
  const [, from = '', colon, to = ''] = /^\s*(-?\d{0,5})\s*(:)?\s*(-?\d{0,5})\s*$/.exec(index) ?? [];
  if (colon !== undefined) return { from: Number(from), to: to === '' ? null : Number(to) };
  if (from === '' || from === '-') return null;
  return { from: Number(from), to: Number(from) === -1 ? null : Number(from) + 1 };
}

interface Loop {
  variables: readonly string[];
  isNumbered: boolean;
  path: string;
  /** `.parameters()`, `.named_parameters()`, or nothing for layers. */
  call: string;
}

function stepsOfLoop({ variables, isNumbered, path, call }: Loop, body: readonly string[]): (TrainingStep | null)[] | null {
  const [first = '', second = ''] = variables;
  if (call === '.parameters()') return variables.length === 1 ? switched(body, first, path) : null;
  if (call === '.named_parameters()') return variables.length === 2 ? named(body, first, second, path) : null;
  const layer = isNumbered ? second : first;
  if (variables.length !== (isNumbered ? 2 : 1)) return null;
  const inner = /^for (\w+) in (\w+)\.parameters\(\)\s*:\s*(.*)$/.exec(body[0] ?? '');
  if (inner === null) return switched(body, layer, path);
  return inner[2] === layer
    ? switched([...(inner[3] === '' ? [] : [inner[3] ?? '']), ...body.slice(1)], inner[1] ?? '', path)
    : null;
}

/** One line that sets it. */
function switched(body: readonly string[], variable: string, path: string): (TrainingStep | null)[] | null {
  const [line = '', ...more] = body;
  const value = more.length === 0 ? valueIn(line, variable) : null;
  return value === 'True' || value === 'False' ? [stepOf(path, value === 'True')] : null;
}

/** Of what `p.requires_grad = …` sets, and `p.requires_grad_(…)`. */
function valueIn(line: string, variable: string): string | null {
  const match = /^(\w+)\.requires_grad(?:_\((.*)\)|\s*=\s*(.+))$/.exec(line);
  return match?.[1] === variable ? (match[2] ?? match[3] ?? '').trim() : null;
}

/** By names: one line, under a condition, with what else is. */
function named(body: readonly string[], name: string, variable: string, path: string): (TrainingStep | null)[] | null {
  const lines = body.flatMap((line) => /^((?:if|else)\b[^:]*:)\s+(\S.*)$/.exec(line)?.slice(1) ?? [line]);
  const [first = '', second = '', ...rest] = lines;
  const steps = (names: TrainingStep['names'] | null, isTrained: boolean): (TrainingStep | null)[] => {
    const step = stepOf(path, isTrained);
    return [step === null || names == null || step.layers !== undefined ? null : { ...step, names }];
  };
  if (lines.length === 1) {
    const value = valueIn(first, variable);
    if (value === null) return null;
    if (value === 'True' || value === 'False') return [stepOf(path, value === 'True')];
    const names = namesOf(value, name);
    return [...steps(names, true), ...steps(otherOf(names), false)];
  }
  const condition = /^if\b(.*):$/.exec(first)?.[1];
  const value = valueIn(second, variable);
  if (condition === undefined || (value !== 'True' && value !== 'False')) return null;
  const names = namesOf(condition, name);
  if (rest.length === 0) return steps(names, value === 'True');
  const other = rest.length === 2 && /^else\s*:$/.test(rest[0] ?? '') ? valueIn(rest[1] ?? '', variable) : null;
  if (other !== 'True' && other !== 'False') return null;
  return [...steps(names, value === 'True'), ...steps(otherOf(names), other === 'True')];
}

function otherOf(names: TrainingStep['names'] | null): TrainingStep['names'] | null {
  return names == null ? null : { ...names, isOther: !names.isOther };
}

/** `"a" in n or "b" in n`, `"a" not in n and "b" not in n`, `n.startswith("a")`, `any(x in n for x in ["a", "b"])`, and `not` before these. */
function namesOf(condition: string, name: string): TrainingStep['names'] | null {
  const written = withoutBrackets(condition);
  return written.startsWith('not ') ? otherOf(oneOf(withoutBrackets(written.slice(4)), name)) : oneOf(written, name);
}

function oneOf(written: string, name: string): TrainingStep['names'] | null {
  const all = /^any\((\w+) in (\w+) for (\w+) in [[(](.*)[\])]\)$/.exec(written);
  if (all !== null) {
    const texts = [...(all[4] ?? '').matchAll(/(["'])([^"'\n]{1,100})\1/g)].map((match) => match[2] ?? '');
    return all[2] === name && all[1] === all[3] && texts.length > 0 ? { texts, at: 'anywhere', isOther: false } : null;
  }
  for (const [word, form, isOther] of [
    ['or', 'in', false],
    ['and', 'not in', true],
  ] as const) {
    const parts = written
      .split(` ${word} `)
      .map((part) => /^\(?(["'])([^"'\n]{1,100})\1 ((?:not )?in) (\w+)\)?$/.exec(part.trim()));
    if (parts.every((part) => part?.[3] === form && part[4] === name))
      return { texts: parts.map((part) => part?.[2] ?? ''), at: 'anywhere', isOther };
  }
  const start = /^(\w+)\.startswith\((["'])([^"'\n]{1,100})\2\)$/.exec(written);
  return start?.[1] === name ? { texts: [start[3] ?? ''], at: 'start', isOther: false } : null;
}

function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  return /^\([^()]*\)$/.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

/** Lines of a loop, without their indentation. @param at behind its colon */
function bodyOf(text: string, at: number, indent: number): string[] {
  const [first = '', ...rest] = text.slice(at, at + mostOfLoop).split('\n');
  const end = rest.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= indent);
  return [first, ...(end === -1 ? rest : rest.slice(0, end))].map((line) => line.trim()).filter((line) => line !== '');
}

/** Characters of a loop that freezes. */
const mostOfLoop = 2000;
