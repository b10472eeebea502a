/** Which checkpoints a small text names, wherever in it: a pointer may have several entries, and comments. */
import { baseName } from '../files/paths.js';
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import type { RunMember } from '../inspection/runs/run.js';

/** Finds checkpoints of a run by the words of a text. */
export class CheckpointNames {
  private readonly byName = new Map<string, string[]>();
  private readonly byStep = new Map<number, string[]>();

  constructor(members: readonly Pick<RunMember, 'root'>[]) {
    for (const { root } of members) {
      if (root === '') continue;
      const name = baseName(root);
      const step = stepOfName(name);
      this.byName.set(name, [...(this.byName.get(name) ?? []), root]);
      if (step !== null) this.byStep.set(step, [...(this.byStep.get(step) ?? []), root]);
    }
  }

  /** By names, by names of the same step, and by numbers that are steps. */
  named(text: string): string[] {
    return this.found(text, (word) => [...(this.byName.get(word) ?? []), ...(this.byStep.get(stepOfName(word) ?? -1) ?? [])]);
  }

  /** By whole names alone: a number may be anything in a text that is no pointer. */
  namedInFull(text: string): string[] {
    return this.found(text, (word) => this.byName.get(word) ?? []).filter((root) => !/^\d+$/.test(baseName(root)));
  }

  /** A name may have blanks in it: such are looked for as they are. */
  private found(text: string, rootsOf: (word: string) => readonly string[]): string[] {
    const spaced = [...this.byName]
      .filter(([name]) => /[^\w.=+-]/.test(name) && text.includes(name))
      .flatMap(([, roots]) => roots);
    return [...new Set([...text.split(/[^\w.=+-]+/).flatMap((word) => rootsOf(word.replace(/\.+$/, ''))), ...spaced])];
  }
}
