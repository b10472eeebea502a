/** The log of verifications of one directory, in its folder `.stowage`. */
export interface LogFile {
  /** Its path. */
  readonly path: string;
  /**
   * Its text; null where there is none. Neither the file nor `.stowage` is followed where it is a link.
   * @throws FormatError `io` where it cannot be read or is no file, `limit-exceeded`
   */
  read(): Promise<string | null>;
  /**
   * Writes it under another name and renames that once it is whole.
   * @throws FormatError `io`, also where `.stowage` is a link: what was there stays
   */
  replace(text: string): Promise<void>;
}
