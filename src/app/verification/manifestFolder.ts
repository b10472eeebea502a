/** A folder that a manifest is written into. */
export interface ManifestFolder {
  /** Of an earlier run that was ended; null without one. @throws FormatError */
  readPartial(): Promise<string | null>;
  /** Adds to the partial manifest, and makes sure that it is on the disk. @throws FormatError `io` */
  addToPartial(text: string): Promise<void>;
  /** Begins the partial manifest anew. @throws FormatError `io` */
  beginPartial(text: string): Promise<void>;
  /** Writes files under other names and renames them once all are whole, then removes the partial manifest; without files that alone. @throws FormatError `io`: what was there stays */
  finish(files: Readonly<Record<string, string>>): Promise<void>;
}
