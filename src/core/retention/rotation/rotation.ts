/** What a framework removes by itself at its next save. */
export interface Rotation {
  framework: string;
  /** As the framework calls it: `save_total_limit`. */
  setting: string;
  limit: number;
  /** The file of the run that has the setting. */
  source: string;
  /** Paths, in the order in which they go. */
  next: string[];
  /** Of these, what the policy or a hold wants to stay. */
  wanted: string[];
}
