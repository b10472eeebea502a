/** A vocabulary rounded up to a multiple, as embeddings are that get split over ranks. A multiple of 0 changes nothing. */
export function padded(vocabulary: number, multiple: number): number {
  return multiple <= 1 ? vocabulary : Math.ceil(vocabulary / multiple) * multiple;
}
