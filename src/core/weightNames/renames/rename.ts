/** One step in which names of a checkpoint become those of a model. */

/** From what to what, the first place of a name that matches. */
export interface Rename {
  /**
   * Text of the name: from its start after `^`, and up to the end of a word where it ends with a letter or a digit. A segment `N` is any
   * number, and `N` itself.
   */
  from: string;
  /** In its place, with the same numbers for each `N`. Several names where one tensor is split. */
  to: readonly string[];
  /** What must not follow. */
  unless?: readonly string[];
  /** What must not be before it. */
  notAfter?: string;
}

/** Where a text matches in a name. */
interface Match {
  start: number;
  end: number;
  numbers: readonly string[];
}

/** The names after a step; null where it does not apply. Linear in the length of the name. */
export function renamed(name: string, rename: Rename): string[] | null {
  const match = findMatch(name, rename);
  if (match === null) return null;
  const before = name.slice(0, match.start);
  const after = name.slice(match.end);
  return rename.to.map((target) => `${before}${withNumbers(target, match.numbers)}${after}`);
}

function findMatch(name: string, { from, unless = [], notAfter }: Rename): Match | null {
  const isAtStart = from.startsWith('^');
  const [first = '', ...rest] = (isAtStart ? from.slice(1) : from).split(/(?<=\.)N(?=\.|$)/);
  for (let start = name.indexOf(first); start >= 0; start = isAtStart ? -1 : name.indexOf(first, start + 1)) {
    if (isAtStart && start > 0) return null;
    const match = matchAt(name, start, first, rest);
    if (match === null || isInsideWord(name, from, match.end)) continue;
    const isRefused =
      unless.some((text) => name.startsWith(text, match.end)) || (notAfter !== undefined && name.endsWith(notAfter, start));
    if (!isRefused) return match;
  }
  return null;
}

/** Texts with a number between each two of them. */
function matchAt(name: string, start: number, first: string, rest: readonly string[]): Match | null {
  const numbers: string[] = [];
  let end = start + first.length;
  for (const text of rest) {
    const number = numberAt(name, end);
    end += number.length;
    if (number === '' || !name.startsWith(text, end)) return null;
    numbers.push(number);
    end += text.length;
  }
  return { start, end, numbers };
}

function numberAt(name: string, start: number): string {
  if (name.charAt(start) === 'N') return 'N';
  let end = start;
  while (name.charAt(end) >= '0' && name.charAt(end) <= '9') end++;
  return name.slice(start, end);
}

/** `weight` is no match in `weight_scale_inv`. */
function isInsideWord(name: string, from: string, end: number): boolean {
  return /[a-zA-Z0-9]$/.test(from) && /\w/.test(name.charAt(end));
}

function withNumbers(target: string, numbers: readonly string[]): string {
  if (numbers.length === 0) return target;
  let next = 0;
  return target
    .split('.')
    .map((segment) => (segment === 'N' ? (numbers[next++] ?? segment) : segment))
    .join('.');
}
