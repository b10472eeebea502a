import { compareNatural } from '../../core/files/naturalOrder.js';

/** Names like this one but for their numbers, as `checkpoint-20` and `checkpoint-10`: other saves of its run. The largest numbers first. */
export function siblingCheckpoints(name: string, names: readonly string[]): string[] {
  const form = formOf(name);
  return form === name
    ? []
    : names.filter((other) => other !== name && formOf(other) === form).sort((a, b) => compareNatural(b, a));
}

function formOf(name: string): string {
  return name.replace(/\d+/g, '#');
}
