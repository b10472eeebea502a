/** A folder that a manifest is written into. */
export interface ManifestFolder {
  /** Of an earlier run that was ended; null without one. @throws FormatError */
  readPartial(): Promise<string | null>;
  /** Adds to the partial manifest, which is on the disk a second later. @throws FormatError `io`, also of what was added before */
  addToPartial(text: string): Promise<void>;
  /** Makes sure that all that was added is on the disk. @throws FormatError `io` */
  flushPartial(): Promise<void>;
  /** Begins the partial manifest anew. @throws FormatError `io` */
  beginPartial(text: string): Promise<void>;
  /** Writes files under other names and renames them once all are whole, then removes the partial manifest; without files that alone. @throws FormatError `io`: what was there stays */
  finish(files: Readonly<Record<string, string>>): Promise<void>;
}
