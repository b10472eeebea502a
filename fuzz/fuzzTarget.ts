/** Runs one target for a while: draw, execute, keep what led somewhere new, minimise what fails. */
import { createRandom } from '../src/core/datasets/text/random.js';
import { cachedCorpus, committedCorpus, keepInput, readCorpus } from './corpus.js';
import { takeNews } from './coverage.js';
import { keyOfError, kindOfError, writeFinding } from './findings.js';
import { minimise } from './minimise.js';
import { Mutator } from './mutators/mutateInput.js';
import { randomOf, type Random } from './mutators/random.js';
import { sizeOf, type FuzzTarget, type Input } from './target.js';

/** Called before each execution, so that another thread can tell what hangs. */
export type OnExecution = (input: Input) => void;

export interface Progress {
  executions: number;
  findings: string[];
  /** Longest execution. */
  slowestMs: number;
}

const minimiseMs = 20_000;
/** Beyond it the oldest are dropped, without those that were there at the beginning. */
const maxPool = 2_000;

export class FuzzSession {
  private readonly pool: Input[];
  private readonly random: Random;
  private readonly mutator: Mutator;
  private readonly seeds: number;
  private readonly known = new Set<string>();
  private next = 0;

  constructor(
    private readonly target: FuzzTarget,
    seed: number,
    private readonly onExecution: OnExecution,
  ) {
    this.random = randomOf(createRandom(seed));
    this.mutator = new Mutator(target, this.random);
    this.pool = [...target.seeds(), ...readCorpus(committedCorpus, target.name), ...readCorpus(cachedCorpus, target.name)];
    this.seeds = this.pool.length;
    if (this.pool.length === 0) throw new Error(`${target.name} has nothing to begin with`);
  }

  /** Goes on for this long, and over all inputs of the corpus first. */
  async run(forMs: number): Promise<Progress> {
    const progress: Progress = { executions: 0, findings: [], slowestMs: 0 };
    const endMs = performance.now() + forMs;
    do {
      const input = this.next < this.seeds ? (this.pool[this.next++] as Input) : this.draw();
      const startMs = performance.now();
      await this.execute(input, progress);
      progress.slowestMs = Math.max(progress.slowestMs, performance.now() - startMs);
    } while (performance.now() < endMs);
    return progress;
  }

  /** Recent inputs are drawn more often: they lead further. */
  private draw(): Input {
    const { pool, random } = this;
    const recent = Math.min(pool.length, 64);
    const base = random.once(2) ? random.of(pool) : (pool[pool.length - 1 - random.below(recent)] as Input);
    return this.mutator.mutate(base, random.of(pool));
  }

  private async execute(input: Input, progress: Progress): Promise<void> {
    progress.executions += 1;
    this.onExecution(input);
    try {
      await this.target.execute(input);
    } catch (error) {
      await this.note(input, error, progress);
      return;
    }
    if (takeNews() && this.next >= this.seeds) this.keep(input);
  }

  private keep(input: Input): void {
    keepInput(this.target.name, input);
    this.pool.push(input);
    if (this.pool.length > this.seeds + maxPool) this.pool.splice(this.seeds, 1);
  }

  private async note(input: Input, error: unknown, progress: Progress): Promise<void> {
    const key = keyOfError(this.target.name, error);
    if (this.known.has(key)) return;
    this.known.add(key);
    const failsAlike = async (candidate: Input): Promise<boolean> => {
      this.onExecution(candidate);
      return keyOfError(this.target.name, await failureOf(this.target, candidate)) === key;
    };
    const smallest = await minimise(input, failsAlike, minimiseMs);
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const sizes = `${sizeOf(smallest)} B of ${sizeOf(input)} B`;
    progress.findings.push(
      writeFinding({ target: this.target.name, input: smallest, kind: kindOfError(error), detail: `${detail}\n\n${sizes}` }),
    );
  }
}

/** What an execution throws; undefined for one that passes. */
export async function failureOf(target: FuzzTarget, input: Input): Promise<unknown> {
  try {
    await target.execute(input);
    return undefined;
  } catch (error) {
    return error;
  }
}
