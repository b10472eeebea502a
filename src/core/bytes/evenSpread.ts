/** Items of a list of unknown length, at most `max` of them and evenly spread: each `stride`-th one, twice as far apart each time they are too many. */
export class EvenSpread<T> {
  private kept: T[] = [];
  private stride = 1;
  private seen = 0;

  constructor(private readonly max: number) {}

  get items(): readonly T[] {
    return this.kept;
  }

  add(item: T): void {
    if (this.seen++ % this.stride !== 0) return;
    if (this.kept.length >= this.max) {
      this.kept = this.kept.filter((_, index) => index % 2 === 0);
      this.stride *= 2;
      if ((this.seen - 1) % this.stride !== 0) return;
    }
    this.kept.push(item);
  }
}
