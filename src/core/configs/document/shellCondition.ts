/** Conditions of a script that its own text decides: `[ "$SIZE" = 7B ]`, `[[ $DEBUG -eq 1 ]]`, `[ -z "$X" ]` (bash(1), CONDITIONAL EXPRESSIONS). */

/** `$X` of the environment, `$1`, `$(…)`: what the text does not decide stays as it is written. */
const isOpen = (text: string): boolean => text.includes('$') || text.includes('`');

/**
 * @param words of the command behind `if`, after variables; a text without words is no word
 * @returns null where a program, a file or the environment decides
 */
export function shellCondition(words: readonly string[]): boolean | null {
  const [opening, ...rest] = words;
  const closing = opening === '[' ? ']' : opening === '[[' ? ']]' : opening === 'test' ? null : undefined;
  if (closing === undefined || (closing !== null && rest.at(-1) !== closing)) return null;
  const terms = closing === null ? rest : rest.slice(0, -1);
  const isNegated = terms[0] === '!';
  const value = valueOf(isNegated ? terms.slice(1) : terms, opening === '[[');
  return value === null ? null : isNegated ? !value : value;
}

/** @param isPattern whether `==` compares with a pattern, as in `[[ … ]]` */
function valueOf(terms: readonly string[], isPattern: boolean): boolean | null {
  const [first = '', second = '', third = ''] = terms;
  if (terms.some(isOpen)) return null;
  if (terms.length === 2 && (first === '-z' || first === '-n')) return (second === '') === (first === '-z');
  if (terms.length !== 3 || (isPattern && /[*?[]/.test(third))) return null;
  if (second === '=' || second === '==') return first === third;
  if (second === '!=') return first !== third;
  const compare = Object.hasOwn(comparisons, second) ? comparisons[second] : undefined;
  const isNumber = /^-?\d{1,15}$/.test(first) && /^-?\d{1,15}$/.test(third);
  return compare === undefined || !isNumber ? null : compare(Number(first), Number(third));
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};
