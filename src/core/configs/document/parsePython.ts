import { type ConfigDocument, type ConfigMember, type ConfigNode, type ConfigProblem, mapOf, type Span } from './configNode.js';
import { pythonDefaults } from './pythonDefaults.js';
import { pythonLiteral } from './pythonLiteral.js';
import { pythonOlmoCore } from './pythonOlmoCore.js';
import { pythonRecipe } from './pythonRecipe.js';
import { pythonTrainer } from './pythonTrainer.js';
import { pythonXtuner } from './pythonXtuner.js';

/** Assignments of one file; nanoGPT's have 20. */
const mostAssignments = 5000;
/** Characters of one value: lists may go over lines. */
const mostCharacters = 10_000;

/**
 * A Python file as text: `name = value` at the beginning of a line, where the value is a literal or arithmetic of numbers and earlier names.
 * Other lines are passed over, nothing is run. A value that is no literal leaves its name out, or makes it unknown where it had a value
 * before. Where a trainer gets its arguments, these are the fields.
 */
export function parsePythonText(text: string): ConfigDocument {
  const problems: ConfigProblem[] = [];
  const members = new Map<string, ConfigMember>();
  for (const line of lines(text)) {
    if (members.size >= mostAssignments) break;
    const match = /^([A-Za-z_]\w{0,100})[ \t]*(?::[ \t]*[\w[\], .|]{1,60})?=(?!=)/.exec(text.slice(line, line + 200));
    const key = match?.[1];
    if (match === null || key === undefined) continue;
    const start = line + match[0].length;
    const value = pythonLiteral(text.slice(start, start + mostCharacters), start, (name) => numberOf(members.get(name)?.value));
    const keySpan: Span = { start: line, end: line + key.length };
    // A name that is assigned twice has its last value, as the program would see it; that is no mistake.
    if (value === null) members.delete(key);
    else members.set(key, { key, keySpan, value });
  }
  const defaults = pythonDefaults(text, (name) => members.get(name)?.value);
  const valueOf = (name: string): ConfigNode | undefined => members.get(name)?.value ?? defaults.get(name);
  const olmoCore = pythonOlmoCore(text, valueOf);
  const trainer =
    olmoCore === null
      ? (pythonTrainer(text, valueOf) ?? pythonRecipe(text, valueOf))
      : { program: 'olmo_core', members: olmoCore };
  const xtuner = pythonXtuner(text, valueOf);
  const shown = trainer === null ? [...members.values(), ...(xtuner ?? [])] : trainer.members;
  const programs = trainer !== null ? [trainer.program] : xtuner !== null ? ['xtuner'] : [];
  return { syntax: 'python', root: mapOf({ start: 0, end: text.length }, shown, problems), problems, programs };
}

/** Where lines begin that are not within a text of three quotation marks. */
function* lines(text: string): Generator<number> {
  let at = 0;
  let open: string | null = null;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    const wasOpen = open !== null;
    for (let from = at; from < stop;) {
      const mark = nextMark(text, from, stop, open);
      if (mark === null) break;
      open = open === null ? mark.quotes : null;
      from = mark.at + 3;
    }
    if (!wasOpen) yield at;
    at = stop + 1;
  }
}

function nextMark(text: string, from: number, stop: number, open: string | null): { at: number; quotes: string } | null {
  let best: { at: number; quotes: string } | null = null;
  const line = text.slice(from, stop);
  for (const quotes of open === null ? ['"""', "'''"] : [open]) {
    const at = line.indexOf(quotes);
    if (at !== -1 && (best === null || from + at < best.at)) best = { at: from + at, quotes };
  }
  return best;
}

function numberOf(node: ConfigNode | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}
