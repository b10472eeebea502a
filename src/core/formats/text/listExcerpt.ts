/** A list of a file's settings of which only the first items are kept: what a tree of them shows. */
export class ListExcerpt {
  constructor(
    /** How many items the file has. */
    readonly length: number,
    readonly items: readonly unknown[],
  ) {}
}
