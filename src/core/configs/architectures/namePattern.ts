/**
 * Regular expressions that configs hold for names of modules (PEFT's `target_modules`, compressed-tensors' `re:…`), read as a small machine of
 * states in place of a RegExp: time is bounded by states times characters whatever the file says. What has no meaning here (look-around,
 * references back) makes the whole pattern unknown.
 */

/** Whether a whole name is matched, from its first to its last character (Python's re.fullmatch). */
export type NamePattern = (name: string) => boolean;

const maximumSource = 4000;
const maximumStates = 20_000;
const maximumRepeats = 100;

type Part =
  | { kind: 'character'; accepts: (character: string) => boolean }
  | { kind: 'assertion'; holds: (name: string, position: number) => boolean }
  | { kind: 'sequence'; parts: readonly Part[] }
  | { kind: 'choice'; parts: readonly Part[] }
  | { kind: 'repeat'; part: Part; minimum: number; maximum: number };

/** Null for what this machine does not know, and for what is no pattern at all. */
export function parseNamePattern(source: string): NamePattern | null {
  if (source.length > maximumSource) return null;
  const parser = { source, position: 0, depth: 0 };
  const part = readChoice(parser);
  if (part === null || parser.position < source.length) return null;
  const machine = buildMachine(part);
  if (machine === null) return null;
  // An assertion asks for the place in the name, so that what follows a set of states is not always the same.
  return machine.some(({ holds }) => holds !== undefined) ? (name) => runs(machine, name) : rememberedRuns(machine);
}

interface Parser {
  source: string;
  position: number;
  depth: number;
}

function readChoice(parser: Parser): Part | null {
  if (++parser.depth > 50) return null;
  const parts: Part[] = [];
  do {
    const part = readSequence(parser);
    if (part === null) return null;
    parts.push(part);
  } while (take(parser, '|'));
  parser.depth--;
  return { kind: 'choice', parts };
}

function readSequence(parser: Parser): Part | null {
  const parts: Part[] = [];
  while (parser.position < parser.source.length && !'|)'.includes(parser.source.charAt(parser.position))) {
    const atom = readAtom(parser);
    const part = atom === null ? null : readRepeats(parser, atom);
    if (part === null) return null;
    parts.push(part);
  }
  return { kind: 'sequence', parts };
}

function readAtom(parser: Parser): Part | null {
  const character = parser.source.charAt(parser.position++);
  switch (character) {
    case '(':
      return readGroup(parser);
    case '[':
      return readClass(parser);
    case '\\':
      return readEscape(parser);
    case '.':
      return { kind: 'character', accepts: (other) => other !== '\n' };
    case '^':
      return { kind: 'assertion', holds: (_, position) => position === 0 };
    case '$':
      return { kind: 'assertion', holds: (name, position) => position === name.length };
    case '*':
    case '+':
    case '?':
      return null;
    default:
      return { kind: 'character', accepts: (other) => other === character };
  }
}

function readGroup(parser: Parser): Part | null {
  if (parser.source.startsWith('?:', parser.position)) parser.position += 2;
  else if (parser.source.startsWith('?', parser.position)) return null;
  const inner = readChoice(parser);
  return inner !== null && take(parser, ')') ? inner : null;
}

function readEscape(parser: Parser): Part | null {
  const character = parser.source.charAt(parser.position++);
  const accepts = classOf(character);
  if (accepts !== null) return { kind: 'character', accepts };
  if (character === 'b') return { kind: 'assertion', holds: isWordBorder };
  // Other letters and digits have meanings (`\1`, `\A`) that are not known here.
  if (character === '' || isWord(character)) return null;
  return { kind: 'character', accepts: (other) => other === character };
}

function classOf(letter: string): ((character: string) => boolean) | null {
  if (letter === 'd') return isDigit;
  if (letter === 'w') return isWord;
  if (letter === 'D') return (character) => !isDigit(character);
  if (letter === 'W') return (character) => !isWord(character);
  return null;
}

function readClass(parser: Parser): Part | null {
  const isNegated = take(parser, '^');
  const tests: ((character: string) => boolean)[] = [];
  while (!take(parser, ']')) {
    const test = readClassMember(parser);
    if (test === null) return null;
    tests.push(test);
  }
  if (tests.length === 0) return null;
  return { kind: 'character', accepts: (character) => tests.some((test) => test(character)) !== isNegated };
}

function readClassMember(parser: Parser): ((character: string) => boolean) | null {
  const first = parser.source.charAt(parser.position++);
  if (first === '' || first === '[') return null;
  if (first === '\\') {
    const escaped = parser.source.charAt(parser.position++);
    const accepts = classOf(escaped);
    if (accepts !== null) return accepts;
    return escaped === '' || isWord(escaped) ? null : (character) => character === escaped;
  }
  const next = parser.source.charAt(parser.position + 1);
  if (parser.source.charAt(parser.position) !== '-' || next === ']') return (character) => character === first;
  parser.position += 2;
  return next === '' || next === '\\' ? null : (character) => character >= first && character <= next;
}

function readRepeats(parser: Parser, part: Part): Part | null {
  if (!'*+?{'.includes(parser.source.charAt(parser.position) || ' ')) return part;
  const bounds = readBounds(parser);
  if (bounds === null) return null;
  const [minimum, maximum] = bounds;
  // A lazy quantifier matches the same whole names; a possessive one or a second one does not.
  take(parser, '?');
  return '*+?{'.includes(parser.source.charAt(parser.position) || ' ') ? null : { kind: 'repeat', part, minimum, maximum };
}

function readBounds(parser: Parser): [number, number] | null {
  if (take(parser, '*')) return [0, Infinity];
  if (take(parser, '+')) return [1, Infinity];
  if (take(parser, '?')) return [0, 1];
  const bounds = /^\{(\d{1,3})(,?)(\d{0,3})\}/.exec(parser.source.slice(parser.position, parser.position + 10));
  if (bounds === null) return null;
  parser.position += bounds[0].length;
  const minimum = Number(bounds[1]);
  const maximum = bounds[2] === '' ? minimum : bounds[3] === '' ? Infinity : Number(bounds[3]);
  const isBounded = minimum <= maximumRepeats && (maximum === Infinity || maximum <= maximumRepeats);
  return isBounded && minimum <= maximum ? [minimum, maximum] : null;
}

function take(parser: Parser, text: string): boolean {
  const isThere = parser.source.startsWith(text, parser.position);
  if (isThere) parser.position += text.length;
  return isThere;
}

/** A state consumes a character, asks for a place in the name, or goes on to several at once. */
interface State {
  accepts?: (character: string) => boolean;
  holds?: (name: string, position: number) => boolean;
  next: number[];
}

/** States from the first (the end of the name) to the last (where it starts). */
function buildMachine(part: Part): State[] | null {
  const states: State[] = [{ next: [] }];
  return build(states, part, 0) === null ? null : states;
}

/** Adds the states of a part before the state `after`; answers where the part starts. Null where there would be too many. */
function build(states: State[], part: Part, after: number): number | null {
  switch (part.kind) {
    case 'character':
      return add(states, { accepts: part.accepts, next: [after] });
    case 'assertion':
      return add(states, { holds: part.holds, next: [after] });
    case 'sequence':
      return part.parts.reduceRight<number | null>((next, inner) => (next === null ? null : build(states, inner, next)), after);
    case 'choice': {
      const starts = part.parts.map((inner) => build(states, inner, after));
      return starts.some((start) => start === null)
        ? null
        : add(states, { next: starts.flatMap((start) => (start === null ? [] : [start])) });
    }
    case 'repeat':
      return buildRepeat(states, part, after);
  }
}

function buildRepeat(states: State[], { part, minimum, maximum }: Part & { kind: 'repeat' }, after: number): number | null {
  let next: number | null = after;
  if (maximum === Infinity) {
    const loop: State = { next: [after] };
    const start = add(states, loop);
    const inner: number | null = start === null ? null : build(states, part, start);
    if (inner === null) return null;
    loop.next.push(inner);
    next = start;
  }
  for (let repeats = minimum; maximum !== Infinity && repeats < maximum && next !== null; repeats++) {
    const inner: number | null = build(states, part, next);
    next = inner === null ? null : add(states, { next: [inner, after] });
  }
  for (let repeats = 0; repeats < minimum && next !== null; repeats++) next = build(states, part, next);
  // A repeat of nothing is a state of its own, so that the machine's last state is always its start.
  return next === null ? null : add(states, { next: [next] });
}

function add(states: State[], state: State): number | null {
  if (states.length >= maximumStates) return null;
  states.push(state);
  return states.length - 1;
}

function runs(states: readonly State[], name: string): boolean {
  let current = closure(states, [states.length - 1], name, 0);
  for (let position = 0; position < name.length && current.size > 0; position++)
    current = closure(states, followers(states, current, name.charAt(position)), name, position + 1);
  return current.has(0);
}

function followers(states: readonly State[], current: ReadonlySet<number>, character: string): number[] {
  const next: number[] = [];
  for (const index of current) {
    const state = states[index];
    if (state?.accepts?.(character) === true) for (const follower of state.next) next.push(follower);
  }
  return next;
}

/** States that are reached together, and those after them by the character between. */
interface Reached {
  states: ReadonlySet<number>;
  next: Map<string, Reached>;
}

/** Sets that are kept: names of modules pass through some hundred, and a file could name others without end. */
const mostRemembered = 2000;

/** The same as `runs`, which computes each step once: names of a model's modules are alike. */
function rememberedRuns(states: readonly State[]): NamePattern {
  const known = new Map<string, Reached>();
  const reachedBy = (starts: readonly number[]): Reached => {
    const reached = closure(states, starts, '', 0);
    const key = [...reached].sort((a, b) => a - b).join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const found: Reached = { states: reached, next: new Map() };
    if (known.size < mostRemembered) known.set(key, found);
    return found;
  };
  const first = reachedBy([states.length - 1]);
  return (name) => {
    let current = first;
    for (let position = 0; position < name.length && current.states.size > 0; position++) {
      const character = name.charAt(position);
      let next = current.next.get(character);
      if (next === undefined) {
        next = reachedBy(followers(states, current.states, character));
        if (known.size < mostRemembered) current.next.set(character, next);
      }
      current = next;
    }
    return current.states.has(0);
  };
}

/** All states that are reached without a character. */
function closure(states: readonly State[], starts: readonly number[], name: string, position: number): Set<number> {
  const reached = new Set<number>();
  const pending = [...starts];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const state = states[index];
    if (state === undefined || state.accepts !== undefined) continue;
    if (state.holds === undefined || state.holds(name, position)) for (const next of state.next) pending.push(next);
  }
  return reached;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isWord(character: string): boolean {
  return /^\w$/.test(character);
}

function isWordBorder(name: string, position: number): boolean {
  return isWord(name.charAt(position - 1)) !== isWord(name.charAt(position));
}
