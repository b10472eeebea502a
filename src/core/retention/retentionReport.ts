/** What a policy lets go of a run, as `stowage retention` reports it. Nothing is changed: it is a proposal. */
import type { TrashedCheckpoint } from './retentionLog.js';
import type { Reason, CaveatCode, DropCode, ProtectionCode, RuleCode } from './reason.js';
import type { RetentionPolicy } from './retentionPolicy.js';
import type { Rotation } from './rotation/rotation.js';

export interface KeptCheckpoint {
  /** Relative to the run; empty for a model in the run's directory itself. */
  path: string;
  step: number | null;
  bytes: number;
  reasons: Reason<ProtectionCode | RuleCode>[];
}

export interface DroppedCheckpoint {
  path: string;
  step: number | null;
  bytes: number;
  reasons: Reason<DropCode>[];
  /** On the disk, once it is removed with the others of the list. */
  freedBytes: number;
}

export interface UndecidedCheckpoint {
  path: string;
  step: number | null;
  bytes: number;
  why: Reason<CaveatCode>[];
}

/** What the reader should know beside the lists. */
export interface RetentionNote {
  code: 'pointer-target-missing' | 'hold-expired' | 'milestone-missing' | 'beside-unseen';
  /** A pointer, a hold, a step, a directory. */
  path: string;
  detail: string | null;
}

export interface RetentionReport {
  kind: 'retention';
  schemaVersion: 2;
  path: string;
  /** Directory of the checkpoints, relative to the path. */
  run: string;
  /** ISO 8601. */
  plannedAt: string;
  policy: RetentionPolicy;
  /** In the order of their steps, as the other lists are. */
  keep: KeptCheckpoint[];
  drop: DroppedCheckpoint[];
  undecided: UndecidedCheckpoint[];
  freedBytes: number;
  /** `allocated`: blocks on the disk. `size`: of the files, where the disk's are not known. */
  freedBasis: 'allocated' | 'size';
  /** What the framework itself removes next; null where its setting is not in the files of the run. */
  rotation: Rotation | null;
  /** What scripts of earlier plans moved there, by their log. */
  trash: TrashedCheckpoint[];
  notes: RetentionNote[];
  coverage: {
    checkpoints: number;
    files: number;
    /** False where files are missing from the listing. */
    isWhole: boolean;
    unreadable: string[];
    /** Small files that were read; of all others name, size and time alone are known. */
    opened: string[];
  };
}
