/** Mutations of texts that people write: lines, words, numbers, brackets. */
import type { Random } from './random.js';

const maxCharacters = 64 * 1024;

const numbers = [
  '0',
  '-1',
  '1e308',
  '1e-320',
  '9007199254740993',
  '18446744073709551616',
  '1e999',
  'nan',
  '.inf',
  '0x10',
  '1_000',
  '007',
];
const odd = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '`',
    '\\',
    ',',
    ':',
    '=',
    '#',
    '&a ',
    '*a',
    '<<: *a',
    '!!python/object:os.system ',
    '|',
    '>',
    '- ',
  ],
  ...[
    '${a}',
    '${oc.env:HOME}',
    '$((1<<62))',
    '--',
    '"""',
    '\t',
    '\0',
    '\u202e',
    '\ud800',
    '\r\n',
    '---\n',
    '? ',
    '%YAML 1.1\n',
    '@',
    '~',
    'null',
  ],
  ...['true', '__proto__', 'constructor', 'toString', '""', '{}', '[]', '../../', '/dev/zero', 'a'.repeat(300)],
];

type Mutation = (text: string, random: Random, other: string, words: readonly string[]) => string;

const mutations: readonly Mutation[] = [
  (text, random) => replaceMatch(text, random, /-?\d[\d._eE+-]*/g, () => random.of(numbers)),
  (text, random) => replaceMatch(text, random, /-?\d+/g, () => String(random.below(100))),
  (text, random, _other, words) => replaceMatch(text, random, /[\w.-]+/g, () => random.of([...odd, ...words])),
  (text, random) => insert(text, random, random.of(odd)),
  (text, random, _other, words) => insert(text, random, random.of([...odd, ...words])),
  (text, random) => insert(text, random, random.of(odd).repeat(random.of([2, 10, 150]))),
  (text, random) => lines(text, random, (all, at) => all.splice(at, 1)),
  (text, random) => lines(text, random, (all, at) => all.splice(at, 0, all[at] as string)),
  (text, random) => lines(text, random, (all, at) => all.splice(random.below(all.length), 0, ...all.splice(at, 1))),
  (text, random) => lines(text, random, (all, at) => (all[at] = `${' '.repeat(random.below(5))}${all[at]}`)),
  (text, random, other) => lines(text, random, (all, at) => all.splice(at, 0, random.of(other.split('\n')))),
  (text, random) => remove(text, random),
  (text, random) => (random.once(3) ? text.slice(0, random.below(text.length + 1)) : text),
];

/** A changed text: one to four mutations. */
export function mutateText(text: string, random: Random, other: string, words: readonly string[]): string {
  let changed = text;
  const times = 1 + (random.once(2) ? random.below(4) : 0);
  for (let time = 0; time < times; time++) changed = random.of(mutations)(changed, random, other, words);
  return changed.slice(0, Math.max(maxCharacters, text.length));
}

function replaceMatch(text: string, random: Random, pattern: RegExp, by: () => string): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const match = random.of(matches);
  return `${text.slice(0, match.index)}${by()}${text.slice(match.index + match[0].length)}`;
}

function insert(text: string, random: Random, part: string): string {
  const at = random.below(text.length + 1);
  return `${text.slice(0, at)}${part}${text.slice(at)}`;
}

function remove(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return `${text.slice(0, at)}${text.slice(at + 1 + random.below(20))}`;
}

function lines(text: string, random: Random, change: (lines: string[], at: number) => unknown): string {
  const all = text.split('\n');
  change(all, random.below(all.length));
  return all.join('\n');
}
