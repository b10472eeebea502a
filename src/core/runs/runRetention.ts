/** What a retention policy says of a run, in short: `stowage retention` has the reasons. */
export interface RunRetention {
  keep: number;
  /** Paths of the checkpoints that may go. */
  drop: string[];
  undecided: number;
  freedBytes: number;
  /** Paths of the checkpoints that are best: by the framework's own record, or by the policy's metric. */
  best: string[];
  /** Why nothing is proposed for this run; null where something was judged. */
  refused: string | null;
}
