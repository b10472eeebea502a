/** Which checkpoints a small text names, wherever in it: a pointer may have several entries, and comments. */
import { baseName } from '../files/paths.js';
import { stepOfName } from '../checkpoints/runs/stepOfName.js';
import type { RunMember } from '../inspection/runs/run.js';

/** Between words: names of checkpoints have none of it, but for those that people gave. */
const separator = /[^\w.=+-]+/;

/** Finds checkpoints of a run by the words of a text. */
export class CheckpointNames {
  private readonly byName = new Map<string, string[]>();
  private readonly byStep = new Map<number, string[]>();
  /** Names that are no word of a text: they are looked for as they are. */
  private readonly spaced: readonly [name: string, roots: string[]][];

  constructor(members: readonly Pick<RunMember, 'root'>[]) {
    for (const { root } of members) {
      if (root === '') continue;
      const name = baseName(root);
      const step = stepOfName(name);
      this.byName.set(name, [...(this.byName.get(name) ?? []), root]);
      if (step !== null) this.byStep.set(step, [...(this.byStep.get(step) ?? []), root]);
    }
    this.spaced = [...this.byName].filter(([name]) => separator.test(name));
  }

  /** By names, by names of the same step, and by numbers that are steps. */
  named(text: string): string[] {
    return this.found(text, (word) => [...(this.byName.get(word) ?? []), ...(this.byStep.get(stepOfName(word) ?? -1) ?? [])]);
  }

  /** By whole names alone: a number may be anything in a text that is no pointer. */
  namedInFull(text: string): string[] {
    return this.found(text, (word) => this.byName.get(word) ?? []).filter((root) => !/^\d+$/.test(baseName(root)));
  }

  private found(text: string, rootsOf: (word: string) => readonly string[]): string[] {
    const words = text.split(separator).flatMap((word) => rootsOf(word.replace(/\.+$/, '')));
    return [...new Set([...words, ...this.spaced.flatMap(([name, roots]) => (text.includes(name) ? roots : []))])];
  }
}
