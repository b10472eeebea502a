/** A stretch of raw text from which samples are drawn: the interface between the formats that hold text and the estimate. */

/** What a window of a corpus gave. */
export interface TextDraw {
  /** The texts that begin in the window, as the tokenizer would get them: the text field of a record, a line, a file. */
  texts: string[];
  /** Bytes of those texts in UTF-8. */
  textBytes: number;
  /** Documents that begin in the window. */
  documents: number;
  /** True where a text was cut at a limit, so that the rest of it was not seen. */
  isCut: boolean;
}

export interface TextCorpus {
  path: string;
  /**
   * Positions from which windows are drawn, each with the same chance: bytes of the file (or of what it decompresses to), rows,
   * records. What a window gives, times `span` over the window's length, estimates the whole.
   */
  span: number;
  /** True where `span` itself is an estimate: the uncompressed size of a file of which only the beginning was read. */
  isSpanEstimated: boolean;
  /** Bytes of text if known without reading any, e.g. the uncompressed size of a column; else null. */
  textBytes: number | null;
  /** Documents, where known without reading any; else null. */
  documents: number | null;
  /** Positions that make a window of a useful size, about 64 KiB of text. */
  window: number;
  /** Highest position that can be drawn; below `span` where only the beginning can be reached. */
  reachable: number;
  /**
   * Reads all texts that begin at positions `from` to `from + length` (exclusive).
   * @throws FormatError
   */
  draw(from: number, length: number, signal: AbortSignal | undefined): Promise<TextDraw>;
}
