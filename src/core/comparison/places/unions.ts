/** Disjoint sets of numbers, which are put together two by two (union by path halving). */
export class Unions {
  private readonly parents: Uint32Array;

  constructor(count: number) {
    this.parents = Uint32Array.from({ length: count }, (_, at) => at);
  }

  /** The number that stands for a set. */
  rootOf(number: number): number {
    const { parents } = this;
    let at = number;
    for (let parent = parents[at] as number; parent !== at; parent = parents[at] as number) {
      parents[at] = parents[parent] as number;
      at = parents[at] as number;
    }
    return at;
  }

  join(one: number, other: number): void {
    this.parents[this.rootOf(other)] = this.rootOf(one);
  }
}
