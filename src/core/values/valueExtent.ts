/** A stretch of a file that holds values of a tensor one after the other. */
export interface ValueExtent {
  path: string;
  offset: number;
  bytes: number;
}
