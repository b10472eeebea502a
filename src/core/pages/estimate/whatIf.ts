/** What an estimate would be with other values of the keys that decide most: which can be changed, and what the change comes to. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { optimizerIds } from '../../estimates/optimizerChoices.js';
import { optimizerInWords } from '../../estimates/estimateWords.js';
import { shortNumber, formatBytes, formatCount } from '../../text/units.js';

/** Of the panel's request; what is left out is as the config has it. */
export interface WhatIfChanges {
  optimizer?: string;
  precision?: string;
  rank?: number;
  keep?: number;
  saveInterval?: number;
}

export type WhatIfId = keyof WhatIfChanges;

/** One value that can be chosen; null for the config's own. */
export interface WhatIfStep {
  value: string | number | null;
  label: string;
}

export interface WhatIfField {
  id: WhatIfId;
  label: string;
  /** Names are chosen from, numbers are slid over. */
  kind: 'choice' | 'slider';
  /** In order; one of them is the config's own. */
  steps: WhatIfStep[];
}

const precisions = ['f32', 'bf16', 'f16'] as const;
const ranks = [4, 8, 16, 32, 64, 128, 256];
const kept = [1, 2, 3, 5, 10, 20, 50];
/** Of the config's own interval. */
const intervalFactors = [1 / 8, 1 / 4, 1 / 2, 2, 4, 8];

/** Keys of the config that a checkpoint or the run rests on; none where its size is not known. */
export function whatIfFields({ training, checkpoint, run }: EstimateReport): WhatIfField[] {
  if (checkpoint.bytes === null || checkpoint.terms.length === 0) return [];
  const { optimizer, precision, adapterRank, saveIntervalSteps, keep } = training;
  const hasState = checkpoint.terms.some(({ name }) => name !== 'weights' && name !== 'exportedWeights');
  const hasRotation = run.saves !== null && run.saves > 1;
  return [
    ...(hasState ? [choice('optimizer', 'Optimizer', optimizer, optimizerIds, optimizerInWords)] : []),
    ...(precision === null ? [] : [choice('precision', 'Precision', precision, precisions, String)]),
    ...(adapterRank === null ? [] : [slider('rank', 'Rank', adapterRank, ranks, formatCount)]),
    ...(hasRotation ? [keptField(keep)] : []),
    ...(hasRotation && saveIntervalSteps !== null
      ? [slider('saveInterval', 'Save every', saveIntervalSteps, intervalsAround(saveIntervalSteps), stepsLabel)]
      : []),
  ];
}

function choice<Value extends string>(
  id: WhatIfId,
  label: string,
  own: Value | null,
  values: readonly Value[],
  words: (value: Value) => string,
): WhatIfField {
  const others = values.filter((value) => value !== own).map((value) => ({ value, label: words(value) }));
  const first = { value: null, label: own === null ? 'as it is' : words(own) };
  return { id, label, kind: 'choice', steps: [first, ...others] };
}

function slider(
  id: WhatIfId,
  label: string,
  own: number,
  values: readonly number[],
  words: (value: number) => string,
): WhatIfField {
  const steps = [...new Set([...values, own])].sort((a, b) => a - b);
  return {
    id,
    label,
    kind: 'slider',
    steps: steps.map((value) => ({ value: value === own ? null : value, label: words(value) })),
  };
}

/** All of them are more than any number. */
function keptField(keep: number | null): WhatIfField {
  if (keep !== null) return slider('keep', 'Keep', keep, kept, formatCount);
  const steps = kept.map((value) => ({ value, label: formatCount(value) }));
  return { id: 'keep', label: 'Keep', kind: 'slider', steps: [...steps, { value: null, label: 'all' }] };
}

function intervalsAround(own: number): number[] {
  return intervalFactors.map((factor) => Math.max(1, Math.round(own * factor)));
}

function stepsLabel(steps: number): string {
  return `${formatCount(steps)} ${steps === 1 ? 'step' : 'steps'}`;
}

export interface WhatIfResult {
  /** What is compared: a checkpoint, the run. */
  label: string;
  before: string;
  after: string;
  /** `0.56 times`; empty where both are the same. */
  factor: string;
}

/** What changes, before and after; what neither knows is left out. */
export function whatIfResults(before: EstimateReport, after: EstimateReport): WhatIfResult[] {
  const of = (label: string, bytesOf: (report: EstimateReport) => number | null): WhatIfResult[] => {
    const [one, other] = [bytesOf(before), bytesOf(after)];
    if (one === null || other === null) return [];
    const factor = one === other || one === 0 ? '' : `${shortNumber(other / one, 3)} times`;
    return [{ label, before: formatBytes(one), after: formatBytes(other), factor }];
  };
  return [
    ...of('A checkpoint', ({ checkpoint }) => checkpoint.bytes),
    ...of('Kept at the end', ({ run }) => run.bytes),
    ...of('At once, at most', ({ run }) => run.peakBytes),
    ...of('Written in all', ({ run }) => run.writtenBytes),
  ];
}
