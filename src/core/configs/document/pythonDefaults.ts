/** What a script takes for its arguments unless its command line sets others: those of argparse, and of dataclasses. Nothing is run. */
import type { ConfigNode } from './configNode.js';
import { endOf, namedArgument, argumentsOf, valueIn, type ValueOf } from './pythonArguments.js';
import { pythonCalls, withoutDocumentation } from './pythonCalls.js';

/** Names of objects in one file. */
const mostObjects = 100;
const mostFields = 500;

/** By `args.save_steps`, as the script has it. A name that is set in other ways besides has none. */
export function pythonDefaults(file: string, valueOf: ValueOf): ReadonlyMap<string, ConfigNode> {
  const found = new Map<string, ConfigNode>();
  if (!/\.parse_|@(?:dataclasses\.)?dataclass/.test(file)) return found;
  const text = withoutDocumentation(file);
  const objects = [...parsedObjects(text, valueOf), ...madeObjects(text, valueOf)].slice(0, mostObjects);
  for (const { name, values } of objects) {
    const isAlone = objects.filter((other) => other.name === name).length === 1;
    for (const [key, value] of isAlone ? values : [])
      if (value !== null && !isSet(text, `${name}.${key}`)) found.set(`${name}.${key}`, value);
  }
  return found;
}

/** Null for a value that is not in the text. */
type Values = ReadonlyMap<string, ConfigNode | null>;

interface NamedObject {
  name: string;
  values: Values;
}

/** `args.save_steps = …` */
function isSet(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + path.length)) {
    const isWhole = !/[\w.]/.test(text.charAt(at - 1));
    const rest = text.slice(at + path.length, at + path.length + 20);
    if (isWhole && /^[ \t]*(?:[-+*/|]|\/\/)?=(?!=)/.test(rest) && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 100), at)))
      return true;
  }
  return false;
}

/** `args = parser.parse_args()`, `args, _ = parser.parse_known_args()`, and `args, = HfArgumentParser(X).parse_args_into_dataclasses()`. */
function parsedObjects(text: string, valueOf: ValueOf): NamedObject[] {
  const forms = /\.parse_(known_args|args|args_into_dataclasses)\(/g;
  return [...text.matchAll(forms)].slice(0, mostObjects).flatMap(({ index, 1: kind }) => {
    const assigned = assignmentBefore(text, index);
    if (assigned === null) return [];
    const { names, maker, made } = assigned;
    if (kind === 'args_into_dataclasses') {
      const classes =
        made ?? /^[ \t]*\w+[ \t]*=[ \t]*(?:\w+\.)?HfArgumentParser\((.*)\)[ \t]*$/m.exec(lineAssigning(text, maker))?.[1];
      const types = (classes ?? '').match(/\w+(?:\.\w+)*/g) ?? [];
      return names.flatMap((name, index) => {
        const type = types[index];
        return type === undefined ? [] : [{ name, values: ownDefaults(fieldsOf(text, type, valueOf)) }];
      });
    }
    const [name] = names;
    return name === undefined || text.includes(`${maker}.set_defaults`)
      ? []
      : [{ name, values: argparseDefaults(text, maker, valueOf) }];
  });
}

/** Characters of a line before the call. */
const mostBefore = 600;

/** Names that get a value, and what it is made of, as the line has them before a call: `args, _ = HfArgumentParser(X)`; null where that is otherwise. */
function assignmentBefore(text: string, at: number): { names: string[]; maker: string; made: string | undefined } | null {
  const line = text.slice(Math.max(text.lastIndexOf('\n', at) + 1, at - mostBefore), at);
  const equals = line.indexOf('=');
  const names = line
    .slice(0, Math.max(0, equals))
    .replace(/[()]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const match = /^([\w.]{1,80})(?:\((.*)\))?$/.exec(line.slice(equals + 1).trim());
  if (equals === -1 || match === null || names.length === 0 || !names.every((name) => /^\w+$/.test(name))) return null;
  return { names, maker: match[1] ?? '', made: match[2] };
}

/** The line on which a name gets its value. */
function lineAssigning(text: string, name: string): string {
  for (const match of text.matchAll(/^[ \t]*(\w+)[ \t]*=(?!=)/gm))
    if (match[1] === name) return text.slice(match.index, endOf(text, match.index, '\n', text.length));
  return '';
}

/** Of `parser.add_argument("--save-steps", type=int, default=250)`. */
function argparseDefaults(text: string, parser: string, valueOf: ValueOf): Values {
  const values = new Map<string, ConfigNode | null>();
  for (const { span, keywords, open } of pythonCalls(text, [`${parser}.add_argument`], valueOf)) {
    const call = text.slice(span.start, span.end);
    const flags = /\(\s*((?:["']-{0,2}[\w-]{1,80}["']\s*,?\s*)+)/.exec(call)?.[1]?.match(/[\w-]+/g) ?? [];
    const given = (key: string): ConfigNode | undefined => keywords.find((member) => member.key === key)?.value;
    const dest = given('dest');
    const flag = flags.find((one) => one.startsWith('--')) ?? flags[0];
    const name = dest?.kind === 'scalar' ? String(dest.value) : flag?.replace(/^-+/, '').replaceAll('-', '_');
    if (name === undefined) continue;
    const value = given('default') ?? (open.some(({ key }) => key === 'default') ? undefined : switchDefault(given('action')));
    values.set(name, values.has(name) || values.size >= mostFields || value === undefined ? null : value);
  }
  return ownDefaults(values);
}

/** Of `action="store_true"`; without a default the command line is to set a value. */
function switchDefault(action: ConfigNode | undefined): ConfigNode | undefined {
  const written = action?.kind === 'scalar' ? action.value : undefined;
  if (action === undefined || (written !== 'store_true' && written !== 'store_false')) return undefined;
  return { kind: 'scalar', span: action.span, value: written === 'store_false', isQuoted: false };
}

function ownDefaults(values: Values): Values {
  return new Map(
    [...values].map(([key, value]) => [key, value?.kind === 'scalar' ? { ...value, isOwnDefault: true as const } : value]),
  );
}

/** `cfg = Cfg()` and `cfg = Cfg(save_steps=100)` of dataclasses of the file. */
function madeObjects(text: string, valueOf: ValueOf): NamedObject[] {
  const types = [...text.matchAll(/^@(?:dataclasses\.)?dataclass\b[^\n]{0,200}\n[ \t]*class[ \t]+(\w{1,80})/gm)].map(
    (match) => match[1] ?? '',
  );
  return pythonCalls(text, [...new Set(types)].slice(0, mostObjects), valueOf).flatMap(
    ({ name: type, span, keywords, unread, first, isAlone }) => {
      const name = /(?:^|\n)[ \t]*(\w{1,80})[ \t]*(?::[ \t]*\w{1,80}[ \t]*)?=[ \t]*$/.exec(
        text.slice(Math.max(0, span.start - 200), span.start),
      )?.[1];
      if (name === undefined || first !== null || !isAlone || unread.includes('**')) return [];
      const values = new Map(fieldsOf(text, type, valueOf));
      for (const { key, value } of keywords) values.set(key, value);
      for (const key of unread) values.set(key, null);
      return [{ name, values }];
    },
  );
}

/** `save_steps: int = 100` and `save_steps: int = field(default=100)` in the body of a class of the file. */
function fieldsOf(text: string, type: string, valueOf: ValueOf): Values {
  const values = new Map<string, ConfigNode | null>();
  const heads = [...text.matchAll(/^class[ \t]+(\w{1,80})[ \t]*(?:\([^)\n]{0,200}\))?[ \t]*:[ \t]*$/gm)].filter(
    (match) => match[1] === type,
  );
  const [head, ...more] = heads;
  if (head === undefined || more.length > 0) return values;
  const start = head.index + head[0].length;
  const next = /\n(?=\S)/.exec(text.slice(start));
  const body = text.slice(start, next === null ? text.length : start + next.index);
  for (const match of body.matchAll(/^( {1,8}|\t)(\w{1,80})[ \t]*:[ \t]*[\w[\], .|"']{1,80}?[ \t]*=(?!=)[ \t]*/gm)) {
    const name = match[2] ?? '';
    if (values.size >= mostFields) break;
    values.set(name, defaultAt(text, start + match.index + match[0].length, valueOf));
  }
  return values;
}

function defaultAt(text: string, at: number, valueOf: ValueOf): ConfigNode | null {
  const call = /^(?:dataclasses\.)?field[ \t]*\(/.exec(text.slice(at, at + 40))?.[0];
  if (call === undefined) return valueIn(text.slice(at, endOf(text, at, '\n', text.length)), at, valueOf);
  const named = argumentsOf(text, at + call.length).spans.map(({ start, end }) =>
    namedArgument(text.slice(start, end), start, valueOf),
  );
  return named.find((member) => member?.key === 'default')?.value ?? null;
}
