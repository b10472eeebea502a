/** The keywords of `**options`, where the same file has them as a map: `options = {"save_steps": 100}`, `options = dict(save_steps=100)`. */
import type { ConfigMember, Span } from './configNode.js';
import { argumentsOf, namedArgument, type NamedArgument, valueIn, type ValueOf } from './pythonArguments.js';

export interface KeywordMap {
  members: ConfigMember[];
  /** Keys whose values are not in the text; `**` where there may be others. */
  unread: string[];
}

const open: KeywordMap = { members: [], unread: ['**'] };

/** @param span of what follows the two stars */
export function keywordMap(text: string, span: Span, valueOf: ValueOf): KeywordMap {
  const written = text.slice(span.start, span.end);
  const start = span.start + (/^\s*/.exec(written)?.[0].length ?? 0);
  const name = /^\s*([A-Za-z_]\w{0,100})\s*(?:#[^\n]*\s*)?$/.exec(written)?.[1];
  if (name === undefined) return mapAt(text, start, valueOf) ?? open;
  const uses = usesBefore(text, name, span.start);
  if (uses.length >= mostUses) return open;
  const assigned = uses.map(({ value }) => value).filter((value) => value !== null);
  const [at, ...others] = assigned;
  const map = at === undefined || others.length > 0 ? null : mapAt(text, at, valueOf);
  if (map === null || uses.some(({ isChange }) => isChange)) return open;
  // Which of them a condition decides is not looked at.
  const set = uses.flatMap(({ key }) => key ?? []);
  return { members: map.members.filter(({ key }) => !set.includes(key)), unread: [...map.unread, ...set] };
}

/** What a file does with a name before it is used. */
interface Use {
  /** Where a value begins that it is assigned. */
  value: number | null;
  /** A key of it that is set. */
  key: string | null;
  /** It gets others in a way that is not followed. */
  isChange: boolean;
}

/** Uses of one name; scripts have some ten. */
const mostUses = 1000;
/** Characters behind a name that say what is done with it. */
const mostOfUse = 200;

function usesBefore(text: string, name: string, end: number): Use[] {
  const uses: Use[] = [];
  for (let at = text.indexOf(name); at !== -1 && at < end && uses.length < mostUses; at = text.indexOf(name, at + name.length)) {
    if (/[\w.]/.test(text.charAt(at - 1))) continue;
    const behind = at + name.length;
    const rest = text.slice(behind, behind + mostOfUse);
    const assignment = /^\s*(?::[^=\n]{1,80})?=(?!=)\s*/.exec(rest);
    const key = /^\s*\[\s*['"](\w{1,100})['"]\s*\]\s*[-+*/|]?=(?!=)/.exec(rest)?.[1];
    const isChange =
      /^\s*(?:\.(?:update|pop|setdefault|clear|popitem)\b|\|=|\[[^\]\n]*\]\s*=(?!=))/.test(rest) && key === undefined;
    // An argument of the same name in another call is none.
    const isAssigned = assignment !== null && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - mostOfUse), at));
    uses.push({ value: isAssigned ? behind + assignment[0].length : null, key: key ?? null, isChange });
  }
  return uses;
}

/** A map that is written there; null for anything else. */
function mapAt(text: string, start: number, valueOf: ValueOf): KeywordMap | null {
  const opening = /^(?:\{|dict\s*\()/.exec(text.slice(start, start + 20))?.[0];
  if (opening === undefined) return null;
  const { spans, end } = argumentsOf(text, start + opening.length);
  // Members may follow: `{…} | other`, `{…}["train"]`.
  if (end === start + opening.length || /^[ \t]*(?:[|[.(]|if\b|or\b)/.test(text.slice(end, end + 20))) return null;
  const read = opening === '{' ? quotedMember : namedArgument;
  const members: ConfigMember[] = [];
  const unread: string[] = [];
  for (const span of spans) {
    const argument = text.slice(span.start, span.end);
    if (/^(?:\s|#[^\n]*\n?)*$/.test(argument)) continue;
    const member = read(argument, span.start, valueOf);
    if (member === null || member.value === null) unread.push(member?.key ?? '**');
    else members.push({ ...member, value: member.value });
  }
  return { members, unread };
}

/** `"key": value`; null for other members. */
function quotedMember(argument: string, start: number, valueOf: ValueOf): NamedArgument | null {
  const match = /^((?:\s|#[^\n]*\n)*)(['"])(\w{1,100})\2\s*:/.exec(argument);
  const key = match?.[3];
  if (match === null || key === undefined) return null;
  const keyStart = start + (match[1]?.length ?? 0);
  const lead = match[0].length;
  return {
    key,
    keySpan: { start: keyStart, end: keyStart + key.length + 2 },
    value: valueIn(argument.slice(lead), start + lead, valueOf),
  };
}
