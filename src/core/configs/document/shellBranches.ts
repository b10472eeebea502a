import { shellCondition } from './shellCondition.js';
import type { ShellWord } from './shellWord.js';

/** An `if` that is open. */
interface Branches {
  /** Commands between `if` or `elif` and `then`; null behind `then`. */
  condition: string[][] | null;
  /** A branch before was taken for certain. */
  isTaken: boolean;
  /** Whether what is read now belongs to a branch that is not taken. */
  isPassedOver: boolean;
  /** How many branches there are so far; the last of them is read now. */
  count: number;
  /** Names of variables, each with the branch that set it last, and whether another one did before. */
  setIn: Map<string, { branch: number; isSetAgain: boolean }>;
}

/** Nested deeper is no script that trains. */
const deepest = 100;

/**
 * Which branches of `if` a script takes, where its own text decides that. A branch that something else decides is read like a taken one, and what it
 * sets holds until another one sets it.
 */
export class ShellBranches {
  private readonly open: Branches[] = [];
  private readonly several = new Set<string>();

  /** Whether commands and assignments here are not carried out. */
  get isPassedOver(): boolean {
    return this.open.some((branches) => branches.isPassedOver);
  }

  /** A word of the script's language where a command begins. */
  begin(word: string): void {
    const last = this.open.at(-1);
    if (word === 'if') {
      if (this.open.length < deepest)
        this.open.push({ condition: [], isTaken: false, isPassedOver: false, count: 1, setIn: new Map() });
    } else if (last === undefined) return;
    else if (word === 'elif') {
      last.condition = [];
      this.next(last);
    } else if (word === 'then') this.decide(last);
    else if (word === 'else') this.next(last);
    else if (word === 'fi') this.open.pop();
  }

  /** A command that has ended: behind `if` it is a part of the condition. */
  end(command: readonly ShellWord[]): void {
    const texts = command.map(({ text }) => text);
    const [first = ''] = texts;
    this.open.at(-1)?.condition?.push(first === 'if' || first === 'elif' ? texts.slice(1) : texts);
  }

  /** A variable that gets a value: by a branch of its own, or by one of several. */
  set(name: string): void {
    for (const { setIn, count } of this.open) {
      const before = setIn.get(name);
      const isSetAgain = before !== undefined && (before.isSetAgain || before.branch !== count);
      setIn.set(name, { branch: count, isSetAgain });
      if (isSetAgain) this.several.add(name);
    }
    // Set for certain, whatever was chosen before.
    if (this.open.length === 0) this.several.delete(name);
  }

  /** Whether the value of a variable is that of one branch of several which the text does not choose between. */
  isOfSeveral(name: string): boolean {
    return this.several.has(name);
  }

  private next(branches: Branches): void {
    branches.isPassedOver = branches.isTaken;
    branches.count += 1;
  }

  private decide(branches: Branches): void {
    const [command, ...more] = branches.condition ?? [];
    branches.condition = null;
    if (branches.isTaken) return;
    const value = command === undefined || more.length > 0 ? null : shellCondition(command);
    branches.isPassedOver = value === false;
    branches.isTaken = value === true;
  }
}
