/** Choices of a mutator, all drawn from one seeded source. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** One of several. */
  of<T>(choices: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** @param draw numbers in [0, 1) */
export function randomOf(draw: () => number): Random {
  const below = (bound: number): number => Math.floor(draw() * bound);
  return { below, of: (choices) => choices[below(choices.length)] as never, once: (times) => below(times) === 0 };
}
