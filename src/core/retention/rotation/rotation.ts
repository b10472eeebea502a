/** What a framework removes by itself: its own rule, as a function of what is there and of its setting. */

/** A checkpoint as frameworks see it: the name of a file or directory, and when its directory was last changed. */
export interface Saved {
  name: string;
  /** Milliseconds since 1970; null where it is not known. */
  modifiedMs: number | null;
}

/** Frameworks by the setting that bounds what they keep. DeepSpeed has none: it removes nothing by itself. */
export const rotationSettings = {
  save_total_limit: 'Hugging Face Trainer',
  total_limit: 'Accelerate',
  save_top_k: 'Lightning',
  keep_latest_k: 'torchtitan',
  save_retain_interval: 'Megatron-LM',
  most_recent_k: 'Megatron-Bridge',
} as const;

export type RotationSetting = keyof typeof rotationSettings;

export interface RotationRule {
  setting: RotationSetting;
  limit: number;
  /** The file that has it, or `policy`. */
  source: string;
}

/** What a framework removes at its next save. */
export interface Rotation {
  framework: string;
  /** As the framework calls it: `save_total_limit`. */
  setting: string;
  limit: number;
  /** The file that has the setting, relative to the run; `policy` where the policy has it. */
  source: string;
  /** Paths, in the order in which they go. */
  next: string[];
  /** Of these, what the policy or a hold wants to stay. */
  wanted: string[];
}
