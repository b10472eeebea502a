/** Values of a checkpoint's tensors, as `stowage values` reports them. */
import type { FindingReport } from '../findings/finding.js';
import type { LogOutcome } from '../findings/loggedCheck.js';
import type { ComponentId } from '../tensors/component.js';
import type { ValueBasis } from './accumulatorOf.js';
import type { NotReadCode } from './storedPlace.js';
import type { ValueSummary } from './valueSummary.js';

/** Where a value is that is not finite. */
export interface ValuePosition {
  /** By the shape, the outermost first; null where the order of the tensor's parts is not known. */
  index: number[] | null;
  path: string;
  /** Of the element, or of the block that it is in. */
  offset: number;
}

export interface TensorValues extends ValueSummary {
  name: string;
  dtype: string;
  shape: number[];
  component: ComponentId;
  /** The file of its first piece; null for a tensor without bytes. */
  path: string | null;
  /** `values`: of the tensor. `codes`: what is stored for them, before any scale. `parts`: real and imaginary ones. */
  basis: ValueBasis;
  /** Of both signs. */
  inf: number;
  /** Whether all numbers that were read are 0, or equal and finite; false of none. */
  allZero: boolean;
  allEqual: boolean;
  /** The first that is NaN or infinite, in the order of the files. */
  first: ValuePosition | null;
  /** Of a sample, and of a tensor of which files with other parts are missing; null where all of it was read. */
  sampled: { share: number; bytes: number } | null;
  /** The tensor with the same bytes whose numbers these are; null for its own. */
  sameAs: string | null;
  /** Copies that ranks repeat, which were not read. */
  copiesNotRead: number;
}

/** A tensor without numbers, and why. */
export interface TensorNotRead {
  name: string;
  /** Empty where an index names it and no file here holds it. */
  dtype: string;
  /** 0 for such a one. */
  bytes: number;
  code: NotReadCode;
  detail: string;
}

/** How far reading has come. */
export interface ValuesProgress {
  bytesRead: number;
  /** Of all tensors that are read whole; a sample reads fewer. */
  totalBytes: number;
}

export interface ValuesReport {
  kind: 'values';
  schemaVersion: 2;
  path: string;
  /** In the order of the checkpoint. */
  tensors: TensorValues[];
  notRead: TensorNotRead[];
  /** Errors of the inspection come first that say what is missing or damaged. */
  findings: FindingReport[];
  /** Null where everything was read. */
  sample: { share: number; seed: number; ofBytes: number } | null;
  /** Of tensors, each byte once: of a sample a share of `ofBytes`, which is larger than what was asked for where tensors are small. */
  bytesRead: number;
  /** Present where it was to be entered into the log. */
  log?: LogOutcome;
}
