/** Members of a config that a Python file has in other forms than `key = value`. */
import { type ConfigMember, type ConfigNode, nowhere } from './configNode.js';

/** A word of the file that is no value of its language, as the name of a class. */
export function textMember(key: string, value: string): ConfigMember {
  return { key, keySpan: nowhere, value: { kind: 'scalar', span: nowhere, value, isQuoted: true } };
}

/** A map of what is written in several places; it goes from the first to the last of them. */
export function mapMember(key: string, members: readonly ConfigMember[]): ConfigMember {
  const places = members.flatMap(({ keySpan, value }) => [keySpan, value.span]).filter(({ end }) => end > 0);
  // A name's value may be written before the call that it is given to.
  const span = places.reduce(
    (all, { start, end }) => ({ start: Math.min(all.start, start), end: Math.max(all.end, end) }),
    places[0] ?? nowhere,
  );
  const value: ConfigNode = { kind: 'map', span, members: new Map(members.map((member) => [member.key, member])) };
  return { key, keySpan: nowhere, value };
}
