/**
 * What keeps Python from compiling a regular expression out of a config (Lib/re/_parser.py, 3.11 to 3.14). The text is walked once, and no RegExp is made of it.
 */

/** A clause for what Python certainly refuses; undefined for what it may compile, which is not all of it. */
export function patternProblem(source: string): string | undefined {
  const walk: Walk = { at: 0, depth: 0, item: 'none' };
  while (walk.at < source.length) {
    const character = source.charAt(walk.at);
    const problem = step(source, walk, character);
    if (problem !== undefined) return problem === notJudged ? undefined : problem;
  }
  return walk.depth > 0 ? 'a group is not closed' : undefined;
}

interface Walk {
  at: number;
  /** Groups that are open. */
  depth: number;
  /** What a quantifier would repeat. */
  item: 'none' | 'place' | 'repeated' | 'other';
}

/** Flags, conditions and verbose patterns have rules of their own. */
const notJudged = 'not judged';

function step(source: string, walk: Walk, character: string): string | undefined {
  walk.at += 1;
  switch (character) {
    case '\\':
      return escape(source, walk);
    case '[':
      walk.item = 'other';
      return setOf(source, walk);
    case '(':
      return open(source, walk);
    case ')':
      walk.depth -= 1;
      walk.item = 'other';
      return walk.depth < 0 ? 'a bracket is closed that no group opens' : undefined;
    case '|':
      walk.item = 'none';
      return undefined;
    case '^':
    case '$':
      walk.item = 'place';
      return undefined;
    case '*':
    case '+':
    case '?':
      return repeat(source, walk);
    case '{':
      return bounds(source, walk);
    default:
      walk.item = 'other';
      return undefined;
  }
}

/** Letters that mean something behind a backslash, in a set or outside of one. */
const knownEscapes = 'AabBdDfnNrsStuUvwWxzZ';

function escape(source: string, walk: Walk): string | undefined {
  const letter = source.charAt(walk.at);
  walk.at += 1;
  walk.item = 'AbBZz'.includes(letter) && letter !== '' ? 'place' : 'other';
  return escapeProblem(letter);
}

function escapeProblem(letter: string): string | undefined {
  if (letter === '') return 'a backslash is at its end';
  if (!/[A-Za-z]/.test(letter) || knownEscapes.includes(letter)) return undefined;
  return `\\${letter} is no escape`;
}

/** Behind the bracket that opens a set. */
function setOf(source: string, walk: Walk): string | undefined {
  if (source.charAt(walk.at) === '^') walk.at += 1;
  for (let isFirst = true; walk.at < source.length; isFirst = false) {
    const character = source.charAt(walk.at);
    walk.at += 1;
    if (character === ']' && !isFirst) return undefined;
    if (character === '\\') {
      const problem = escapeProblem(source.charAt(walk.at));
      walk.at += 1;
      if (problem !== undefined) return problem;
      // What it is may be the beginning of a range.
      if (source.charAt(walk.at) === '-' && source.charAt(walk.at + 1) !== ']') return notJudged;
      continue;
    }
    const last = source.charAt(walk.at + 1);
    if (source.charAt(walk.at) !== '-' || last === ']' || last === '') continue;
    if (last === '\\') return notJudged;
    walk.at += 2;
    // Python orders code points, which letters beyond the first plane have two places for.
    if (last < character && last < '\ud800') return 'a range of a set ends before it begins';
  }
  return 'a set is not closed';
}

/** Behind the bracket that opens a group. */
function open(source: string, walk: Walk): string | undefined {
  walk.depth += 1;
  walk.item = 'none';
  if (source.charAt(walk.at) !== '?') return undefined;
  const plain = ['?:', '?=', '?!', '?<=', '?<!', '?>'].find((beginning) => source.startsWith(beginning, walk.at));
  if (plain === undefined) return notJudged;
  walk.at += plain.length;
  return undefined;
}

/** Behind `*`, `+`, `?` or bounds. */
function repeat(source: string, walk: Walk): string | undefined {
  if (walk.item === 'none' || walk.item === 'place') return 'a quantifier has nothing to repeat';
  if (walk.item === 'repeated') return 'a quantifier is behind another one';
  walk.item = 'repeated';
  // Lazy, or possessive.
  if (['?', '+'].includes(source.charAt(walk.at))) walk.at += 1;
  return undefined;
}

function bounds(source: string, walk: Walk): string | undefined {
  const found = /^(\d{0,9})(,?)(\d{0,9})\}/.exec(source.slice(walk.at, walk.at + 24));
  const [text = '', minimum = '', comma = '', maximum = ''] = found ?? [];
  // A brace without bounds is a letter like any other.
  if (found === null || text === '}') {
    walk.item = 'other';
    return /^[\d,]/.test(source.charAt(walk.at)) && found === null ? notJudged : undefined;
  }
  walk.at += text.length;
  if (comma !== '' && minimum !== '' && maximum !== '' && Number(maximum) < Number(minimum))
    return walk.item === 'other' ? 'the bounds of a quantifier are reversed' : 'a quantifier has nothing to repeat';
  return repeat(source, walk);
}
