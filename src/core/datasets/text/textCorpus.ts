/** A stretch of raw text from which samples are drawn: the interface between the formats that hold text and the estimate. */

/** What a window of a corpus gave. */
export interface TextDraw {
  /** The texts that begin in the window, as the tokenizer would get them: the text field of a record, a line, a file. */
  texts: string[];
  /** Bytes of those texts in UTF-8. */
  textBytes: number;
  /** Documents that begin in the window. */
  documents: number;
  /** Positions that those documents take, framing included; more or fewer than the window's where documents cross its borders. */
  covered: number;
  /** Tokens that the documents hold as numbers, where they are tokenized already. */
  tokens?: number;
}

/** Text in a window: some records of web text, and 128 of them make 2 MB. */
export const USUAL_WINDOW_BYTES = 16 * 1024;

export interface TextCorpus {
  path: string;
  /**
   * Positions from which windows are drawn, each with the same chance: bytes of the file (or of what it decompresses to), rows,
   * records.
   */
  span: number;
  /** How far positions can be drawn: below `span` where only the beginning can be reached. */
  reachable: number;
  /** Bytes that tokens are in proportion to: those of the text where they are known, else those of the file. More than 0. */
  weightBytes: number;
  /** Bytes of text (UTF-8) where they are known without reading any; else null. */
  textBytes: number | null;
  /** Documents, where known without reading any; else null. */
  documents: number | null;
  /** True where positions are documents that belong to shards which count their samples already. */
  isCounted: boolean;
  /** Positions that make a window of about `USUAL_WINDOW_BYTES` of text; at least 1. */
  window: number;
  /**
   * Reads all texts that begin at positions `from` to `from + length` (exclusive).
   * @throws FormatError
   */
  draw(from: number, length: number, signal: AbortSignal | undefined): Promise<TextDraw>;
}
