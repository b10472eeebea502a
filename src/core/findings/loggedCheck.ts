/** What `.stowage/verified.json` beside a path has of readings of all its bytes. See docs/verify.md. */

/** What was found when checksums were compared. */
export interface LoggedVerification {
  what: 'verify';
  /** Files all of whose checksums matched. */
  matched: number;
  /** Files that were changed, missing or unreadable; one more where not all files could be listed. */
  failed: number;
  unverifiable: number;
  /** Files that the manifest does not list. */
  extra: number;
  /** Bytes that a checksum covers, of all. */
  coveredBytes: number;
  ofBytes: number;
  /** Kinds of checksums, as `by` of the report of `stowage verify` has them. */
  by: string[];
  /** The manifest that was compared with, or that was written; null without one. */
  manifest: string | null;
}

/** What was found when the values of all tensors were read. */
export interface LoggedValues {
  what: 'values';
  /** Tensors that were read. */
  tensors: number;
  notRead: number;
  /** Tensors of weights or optimizer state with NaN or Inf. */
  notFinite: number;
  /** Errors of the inspection: data that are missing or damaged, whose values are not known. */
  errors: number;
  bytesRead: number;
}

/** A reading of all bytes by the log beside a path. It rests on that log, which whoever writes to its directory can change. */
export type LoggedCheck = (LoggedVerification | LoggedValues) & {
  /** A checkpoint of the run or a part of the collection, relative to the inspected path; empty for all of it. */
  path: string;
  /** When it ended, ISO 8601 in UTC. */
  at: string;
  /** Files that were there. */
  files: number;
  /**
   * Null where files have the names, sizes and times that they had then. Otherwise how many files are there now, and how many of them are newer than the
   * newest was then.
   */
  changed: { files: number; newer: number } | null;
};

/** Whether a reading was entered into the log. */
export interface LogOutcome {
  /** The log. */
  path: string;
  /** Why it has no entry of it; null where it has one. */
  problem: string | null;
}
