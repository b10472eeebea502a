import type { FittingValue } from '../checkpoints/loadReport.js';
import { openInWords, type LoadCheck } from './loadCheck.js';
import type { TensorDifferences } from './tensors/tensorDifferences.js';

/** What was compared of a model. */
export interface ModelCheck extends LoadCheck {
  framework: string;
  /** Null where the config names none. */
  architecture: string | null;
  differences: TensorDifferences;
  fits: readonly FittingValue[];
}

/** A model that was not compared. @param detail why, as a clause */
export function openModel(model: Pick<ModelCheck, 'framework' | 'architecture' | 'differences'>, detail: string): ModelCheck {
  return {
    ...model,
    fits: [],
    verdict: 'unknown',
    why: openInWords(detail),
    checked: [],
    notChecked: [{ what: 'config', detail }],
    findings: [],
    done: [],
  };
}
