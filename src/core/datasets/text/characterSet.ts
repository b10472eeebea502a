/** A set of characters in an expression, in one form for all ways to write it. */

/** Members of a set. */
export interface CharacterSet {
  isNegated: boolean;
  /** Inclusive ranges of code points. */
  ranges: [number, number][];
  /** Properties: `p:L` has it, `P:L` has it not. */
  properties: Set<string>;
  /** Forms of sets with which this one is intersected. */
  limits: string[];
}

export function emptySet(): CharacterSet {
  return { isNegated: false, ranges: [], properties: new Set(), limits: [] };
}

export function setOf(codePoint: number): CharacterSet {
  return { ...emptySet(), ranges: [[codePoint, codePoint]] };
}

export function setOfProperty(name: string, isNegated: boolean): CharacterSet {
  return { ...emptySet(), properties: new Set([`${isNegated ? 'P' : 'p'}:${propertyNames.get(name) ?? name}`]) };
}

/** Names that mean the same, by that of UnicodeData. */
const propertyNames = new Map([
  ['Letter', 'L'],
  ['Mark', 'M'],
  ['Number', 'N'],
  ['Punctuation', 'P'],
  ['Symbol', 'S'],
  ['Decimal_Number', 'Nd'],
  ['Uppercase_Letter', 'Lu'],
  ['Lowercase_Letter', 'Ll'],
  ['Titlecase_Letter', 'Lt'],
  ['Modifier_Letter', 'Lm'],
  ['Other_Letter', 'Lo'],
  ['IsHan', 'Han'],
  ['Script=Han', 'Han'],
  ['sc=Han', 'Han'],
]);

/** True where the union of two sets is again one list of members. */
export function isPlain({ isNegated, limits }: CharacterSet): boolean {
  return !isNegated && limits.length === 0;
}

/** Adds the members of a plain set. */
export function addAll(to: CharacterSet, from: CharacterSet): void {
  for (const range of from.ranges) to.ranges.push(range);
  for (const property of from.properties) to.properties.add(property);
}

/** The most code points of a range of which the other case is looked up. */
const FOLDED_RANGE = 256;

/** Adds the other case of each letter; false for ranges that are too long to do so. */
export function addOtherCase(set: CharacterSet): boolean {
  for (const [first, last] of [...set.ranges]) {
    if (last - first >= FOLDED_RANGE) return false;
    for (let code = first; code <= last; code++) for (const other of otherCases(code)) set.ranges.push([other, other]);
  }
  return true;
}

/** Also the long s and the Kelvin sign, which case folding makes s and k (CaseFolding.txt). */
function otherCases(code: number): number[] {
  const text = String.fromCodePoint(code);
  const cases = [text.toLowerCase(), text.toUpperCase()].filter((other) => [...other].length === 1);
  if (/^s$/i.test(text)) cases.push('\u017f');
  if (/^k$/i.test(text)) cases.push('\u212a');
  return cases.map((other) => other.codePointAt(0) as number);
}

/** The same text for sets with the same members, as far as ranges and names of properties tell. */
export function formOfSet(set: CharacterSet): string {
  const [only] = set.properties;
  const isSingle = set.isNegated && set.ranges.length === 0 && set.limits.length === 0 && set.properties.size === 1;
  if (isSingle && only !== undefined) return `[${only.startsWith('p') ? 'P' : 'p'}${only.slice(1)}]`;
  const ranges = mergedRanges(set.ranges).map(([first, last]) => `${first.toString(16)}-${last.toString(16)}`);
  const members = [...ranges, ...[...set.properties].sort()].join(' ');
  return `[${set.isNegated ? '^' : ''}${[members, ...[...set.limits].sort()].join('&&')}]`;
}

function mergedRanges(ranges: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
