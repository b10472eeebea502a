/** Attributes of an object that a Python file sets after it has made it: `args.save_steps = 200`. */
import type { ConfigMember, Span } from './configNode.js';
import { endOf, expression, valueIn, type ValueOf } from './pythonArguments.js';

/** Attributes of one object; scripts set some three. */
const mostSet = 200;

/**
 * The last value of each; one that only a branch sets, or that is computed, is not known.
 * @param text as `withoutDocumentation` gives it
 * @param made the call that makes the object
 */
export function setAfter(text: string, made: Span, valueOf: ValueOf): ConfigMember[] {
  const lead = text.slice(Math.max(0, made.start - 200), made.start);
  const [, indent = '', name] =
    /(?:^|\n)([ \t]*)(\w{1,80})[ \t]*(?::[ \t]*[\w.]{1,80}[ \t]*)?=[ \t]*(?:\w{1,40}\.){0,4}$/.exec(lead) ?? [];
  const found = new Map<string, ConfigMember>();
  if (name === undefined) return [];
  for (const match of text.matchAll(/^([ \t]*)(\w{1,80})\.(\w{1,100})[ \t]*([-+*/|]|\/\/)?=(?!=)/gm)) {
    const [head, depth = '', object, key = '', operator] = match;
    if (object !== name || match.index < made.end || found.size >= mostSet) continue;
    const start = match.index + head.length;
    const end = endOf(text, start, '\n', text.length);
    const written = text.slice(start, end);
    const isPlain = operator === undefined && depth === indent;
    const value = (isPlain ? valueIn(written, start, valueOf) : null) ?? expression(written, end);
    const keySpan = { start: start - head.length + depth.length + name.length + 1, end: 0 };
    found.set(key, { key, keySpan: { ...keySpan, end: keySpan.start + key.length }, value });
  }
  return [...found.values()];
}
