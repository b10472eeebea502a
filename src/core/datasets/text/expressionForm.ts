/**
 * The meaning of a regular expression as a text: one for all ways to write it. `[\r\n]` with escapes or with the characters themselves,
 * `{1,}` and `+`, `[0-9]{3}` and `[0-9][0-9][0-9]`, `(?i:'s)` and `'[sSſ]` give the same. The syntax is Oniguruma's, which tokenizer.json
 * uses (https://github.com/kkos/oniguruma/blob/master/doc/RE). Nothing is run, and two forms that differ may still mean the same.
 */
import { addAll, addOtherCase, emptySet, formOfSet, isPlain, setOf, setOfProperty, type CharacterSet } from './characterSet.js';

/** Longer expressions are in no published tokenizer. */
const MOST_CHARACTERS = 4000;
/** Groups and sets inside of each other. */
const MOST_DEPTH = 12;

/** The form of an expression; undefined for one that is no expression, or has a part that is not looked at (references, named groups). */
export function expressionForm(expression: string): string | undefined {
  if (expression.length > MOST_CHARACTERS) return undefined;
  try {
    const parser = new Parser([...expression]);
    const form = formOfAlternatives(parser.alternatives(false, 0));
    return parser.isAtEnd ? form : undefined;
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined;
    throw error;
  }
}

class UnknownSyntax extends Error {}

interface Item {
  /** What repeats: a set, or the form of a group or an assertion. */
  of: CharacterSet | string;
  /** Set for a group that does not repeat: its alternatives may be those of the whole. */
  group?: Item[][];
  min: number;
  max: number;
  /** Greedy without a letter. */
  mode: '' | 'lazy' | 'possessive';
}

const simpleEscapes: Readonly<Record<string, number>> = { r: 13, n: 10, t: 9, f: 12, v: 11, a: 7, e: 27 };
const classEscapes: Readonly<Record<string, string>> = { s: 'White_Space', d: 'Nd', w: 'Word', h: 'Hex' };

class Parser {
  private at = 0;

  constructor(private readonly characters: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at === this.characters.length;
  }

  /** Up to the end of the group. */
  alternatives(isFolded: boolean, depth: number): Item[][] {
    if (depth > MOST_DEPTH) throw new UnknownSyntax();
    const all: Item[][] = [];
    let items: Item[] = [];
    let folded = isFolded;
    while (!this.isAtEnd && this.peek() !== ')') {
      if (this.take('|')) {
        all.push(items);
        items = [];
      } else if (this.take('(?i)')) folded = true;
      else items.push(this.repeated(this.atom(folded, depth)));
    }
    all.push(items);
    return spliced(all);
  }

  private peek(): string {
    return this.characters[this.at] ?? '';
  }

  private take(text: string): boolean {
    const length = text.length;
    if (this.characters.slice(this.at, this.at + length).join('') !== text) return false;
    this.at += length;
    return true;
  }

  private next(): string {
    const character = this.characters[this.at++];
    if (character === undefined) throw new UnknownSyntax();
    return character;
  }

  private atom(isFolded: boolean, depth: number): Item {
    for (const opening of ['(?!', '(?=', '(?<!', '(?<='])
      if (this.take(opening)) return once(`${opening}${formOfAlternatives(this.group(isFolded, depth))})`);
    if (this.take('(?:')) return grouped(this.group(isFolded, depth));
    if (this.take('(?i:')) return grouped(this.group(true, depth));
    if (this.take('(?')) throw new UnknownSyntax();
    if (this.take('(')) return grouped(this.group(isFolded, depth));
    if (this.take('[')) return once(this.set(isFolded, depth + 1));
    const character = this.next();
    if (character === '\\') return once(this.isBoundary() ? `\\${this.next()}` : this.escape(isFolded));
    if ('.^$'.includes(character)) return once(character);
    if ('*+?'.includes(character)) throw new UnknownSyntax();
    return once(folded(setOf(codeOf(character)), isFolded));
  }

  private isBoundary(): boolean {
    return /^[bBAzZG]$/.test(this.peek());
  }

  private group(isFolded: boolean, depth: number): Item[][] {
    const alternatives = this.alternatives(isFolded, depth + 1);
    if (!this.take(')')) throw new UnknownSyntax();
    return alternatives;
  }

  private repeated(item: Item): Item {
    const bounds = this.bounds();
    if (bounds === undefined) return item;
    const of = item.group === undefined ? item.of : formOfGroup(item.group);
    // A plus after braces repeats them again: only behind * + and ? it is possessive.
    const mode = this.take('?') ? 'lazy' : !bounds.isBraces && this.take('+') ? 'possessive' : '';
    const once = { of, min: bounds.min, max: bounds.max, mode } as const;
    return '*+?'.includes(this.peek() || ' ') ? this.repeated({ of: formOfItem(once), min: 1, max: 1, mode: '' }) : once;
  }

  private bounds(): { min: number; max: number; isBraces: boolean } | undefined {
    if (this.take('*')) return { min: 0, max: Infinity, isBraces: false };
    if (this.take('+')) return { min: 1, max: Infinity, isBraces: false };
    if (this.take('?')) return { min: 0, max: 1, isBraces: false };
    const braces = /^\{(\d{0,4})(,?)(\d{0,4})\}/.exec(this.characters.slice(this.at, this.at + 11).join(''));
    if (braces === null || (braces[1] === '' && braces[3] === '')) return undefined;
    this.at += braces[0].length;
    const [, low = '', comma, high = ''] = braces;
    const min = Number(low);
    return { min, max: comma === '' ? min : high === '' ? Infinity : Number(high), isBraces: true };
  }

  private escape(isFolded: boolean): CharacterSet {
    const character = this.next();
    if (character === 'p' || character === 'P') return this.property(character === 'P');
    const property = classEscapes[character.toLowerCase()];
    if (property !== undefined) return setOfProperty(property, character !== character.toLowerCase());
    return folded(setOf(this.escapedCode(character)), isFolded);
  }

  private escapedCode(character: string): number {
    const simple = simpleEscapes[character];
    if (simple !== undefined) return simple;
    if (character === 'x' || character === 'u') return this.hexCode(character === 'x' ? 2 : 4);
    if (/^[a-z0-9]$/i.test(character)) throw new UnknownSyntax();
    return codeOf(character);
  }

  private hexCode(digits: number): number {
    const braces = this.take('{');
    let hex = '';
    while (/^[0-9a-f]$/i.test(this.peek()) && (braces || hex.length < digits)) hex += this.next();
    const code = Number.parseInt(hex, 16);
    if (!(code <= 0x10ffff) || (braces ? !this.take('}') : hex.length !== digits)) throw new UnknownSyntax();
    return code;
  }

  private property(isNegated: boolean): CharacterSet {
    if (!this.take('{')) return setOfProperty(this.next(), isNegated);
    const isInverse = this.take('^');
    let name = '';
    while (this.peek() !== '}') name += this.next();
    this.at += 1;
    return setOfProperty(name, isNegated !== isInverse);
  }

  /** Behind the opening bracket. */
  private set(isFolded: boolean, depth: number): CharacterSet {
    if (depth > MOST_DEPTH) throw new UnknownSyntax();
    const set = emptySet();
    set.isNegated = this.take('^');
    if (this.peek() === ']' || this.peek() === ':') throw new UnknownSyntax();
    while (!this.take(']')) {
      if (this.take('&&')) {
        set.limits.push(formOfSet(this.rightSide(isFolded, depth)));
      } else if (this.take('[')) addNested(set, this.set(isFolded, depth + 1));
      else addAll(set, this.member());
    }
    return folded(set, isFolded);
  }

  /** What follows `&&`, up to the end of the set, which stays. */
  private rightSide(isFolded: boolean, depth: number): CharacterSet {
    const right = emptySet();
    if (this.take('[')) {
      const nested = this.set(isFolded, depth + 1);
      if (this.peek() === ']' || this.characters.slice(this.at, this.at + 2).join('') === '&&') return nested;
      throw new UnknownSyntax();
    }
    while (this.peek() !== ']' && this.peek() !== '&') addAll(right, this.member());
    return folded(right, isFolded);
  }

  /** A character, a range, or a property. */
  private member(): CharacterSet {
    const first = this.setCharacter();
    if (typeof first !== 'number') return first;
    const isRange = this.peek() === '-' && this.characters[this.at + 1] !== ']' && this.characters[this.at + 1] !== undefined;
    if (!isRange) return setOf(first);
    this.at += 1;
    const last = this.setCharacter();
    if (typeof last !== 'number' || last < first) throw new UnknownSyntax();
    return { ...emptySet(), ranges: [[first, last]] };
  }

  private setCharacter(): number | CharacterSet {
    const character = this.next();
    if (character !== '\\') return codeOf(character);
    const set = this.escape(false);
    const [range] = set.ranges;
    return range === undefined ? set : range[0];
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) as number;
}

function folded(set: CharacterSet, isFolded: boolean): CharacterSet {
  if (isFolded && !addOtherCase(set)) throw new UnknownSyntax();
  return set;
}

function addNested(set: CharacterSet, nested: CharacterSet): void {
  if (!isPlain(nested)) throw new UnknownSyntax();
  addAll(set, nested);
}

function once(of: CharacterSet | string): Item {
  return { of, min: 1, max: 1, mode: '' };
}

function grouped(group: Item[][]): Item {
  return { of: '', group, min: 1, max: 1, mode: '' };
}

/** Alternatives that are but a group of alternatives are those of the whole, and groups in a sequence are part of it. */
function spliced(alternatives: readonly Item[][]): Item[][] {
  return alternatives.flatMap((items) => {
    const [only] = items;
    if (items.length === 1 && only?.group !== undefined) return only.group;
    return [items.flatMap((item) => (item.group?.length === 1 ? (item.group[0] as Item[]) : [item]))];
  });
}

function formOfAlternatives(alternatives: readonly Item[][]): string {
  const united = unionOf(alternatives);
  return united === undefined ? alternatives.map(formOfSequence).join('|') : formOfSet(united);
}

/** Alternatives of one character each are a set. */
function unionOf(alternatives: readonly Item[][]): CharacterSet | undefined {
  const union = emptySet();
  for (const items of alternatives) {
    const [item] = items;
    if (item === undefined || items.length > 1 || !isOnce(item) || typeof item.of === 'string' || !isPlain(item.of))
      return undefined;
    addAll(union, item.of);
  }
  return union;
}

function isOnce({ min, max, group }: Item): boolean {
  return min === 1 && max === 1 && group === undefined;
}

/** What repeats: a set stays one. */
function formOfGroup(group: Item[][]): CharacterSet | string {
  const [items] = group;
  const [only] = items ?? [];
  if (group.length === 1 && items?.length === 1 && only !== undefined && isOnce(only)) return only.of;
  return unionOf(group) ?? `(${formOfAlternatives(group)})`;
}

/** Neighbours that are alike are one that repeats as often as both. */
function formOfSequence(items: readonly Item[]): string {
  const runs: { form: string; min: number; max: number; mode: Item['mode'] }[] = [];
  for (const item of items) {
    const form = formOfRepeated(item);
    const before = runs.at(-1);
    const isSame = before?.form === form && before.mode === '' && item.mode === '';
    if (isSame) {
      before.min += item.min;
      before.max += item.max;
    } else runs.push({ form, min: item.min, max: item.max, mode: item.mode });
  }
  return runs.map(({ form, min, max, mode }) => `${form}${min === 1 && max === 1 ? '' : `{${min},${max}}${mode}`}`).join('');
}

function formOfItem(item: Item): string {
  return `(${formOfSequence([item])})`;
}

function formOfRepeated({ of, group }: Item): string {
  const repeated = group === undefined ? of : formOfGroup(group);
  return typeof repeated === 'string' ? repeated : formOfSet(repeated);
}
