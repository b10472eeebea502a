/** What a user asks of a bandwidth check. */

export interface CheckSettings {
  /** Directory that is measured, or an address such as `s3://bucket/prefix`, `gs://bucket/prefix` and `az://container/prefix`. */
  target: string;
  /** Checkpoint whose files are replayed; null for a size alone. */
  replayOf: string | null;
  /** Bytes of a whole save; null for the checkpoint's own, or for what the space allows. */
  sizeBytes: number | null;
  /** Threads that write at the same time; null for the checkpoint's writers. */
  streams: number | null;
  /** Bytes of one write and one read; null for the standard. */
  blockBytes: number | null;
  /** The check ends after about so long. */
  seconds: number;
  /** Times that everything is written and read. */
  repeats: number;
  /** Most bytes that lie in the directory at once; null for the standard. */
  spaceBytes: number | null;
  /** Seconds between two saves of the run; null where none is given. */
  intervalSeconds: number | null;
  /** Numbers of streams that are tried besides; null for none. */
  sweepStreams: number[] | null;
  /** Whether to write without a pause until the burst is spent. */
  isSustained: boolean;
  /** Bounds of that: bytes in all, and time; null for the standard. */
  sustainedBytes: number | null;
  sustainedSeconds: number | null;
}
