/** Failure rates that were published, as the mean time between failures of one GPU with its share of a node, network and rack. */

export interface FailureRate {
  id: string;
  label: string;
  /** Of one GPU; a job of N has this ÷ N. */
  gpuMtbfSeconds: number;
  source: string;
}

const hour = 3600;
/** A failure rate for node-days, on nodes of 8 GPUs. */
const ofNodeDays = (failuresPerNodeDay: number): number => (8 * 24 * hour) / failuresPerNodeDay;

export const failureRates = [
  {
    id: 'llama3',
    label: 'Llama 3 405B: 419 in 54 days on 16,384 GPUs',
    gpuMtbfSeconds: (54 * 24 * hour * 16_384) / 419,
    source: 'The Llama 3 Herd of Models (2024), section 3.3.4: unexpected interruptions; 50,700 GPU-hours each',
  },
  {
    id: 'llama3-all',
    label: 'Llama 3 405B with planned stops: 466',
    gpuMtbfSeconds: (54 * 24 * hour * 16_384) / 466,
    source: 'The Llama 3 Herd of Models (2024), section 3.3.4: all interruptions',
  },
  {
    id: 'rsc-1',
    label: 'Meta RSC-1: 6.50 in 1,000 node-days',
    gpuMtbfSeconds: ofNodeDays(0.0065),
    source: 'Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters (HPCA 2025)',
  },
  {
    id: 'rsc-2',
    label: 'Meta RSC-2: 2.34 in 1,000 node-days',
    gpuMtbfSeconds: ofNodeDays(0.00234),
    source: 'Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters (HPCA 2025)',
  },
  {
    id: 'mlcommons',
    label: 'MLCommons: 50,000 hours an accelerator',
    gpuMtbfSeconds: 50_000 * hour,
    source: 'MLCommons, MLPerf Storage v2.0 announcement (4 August 2025)',
  },
] as const satisfies readonly FailureRate[];

/** Jobs of fewer GPUs than this fail more often than a rate of large jobs suggests: the size at which Llama 3's was counted. */
export const leastScalingGpus = 16_384;
/** At 1,024 GPUs 1/N suggests a failure every 28.8 h, and 7.9 h were measured (Kokolis et al., HPCA 2025). */
const measuredSmall = { gpus: 1024, factor: 28.8 / 7.9 };

/**
 * How many times as often as 1/N suggests a job fails: as measured at 1,024 GPUs and below, not at all from the size of Llama 3's on. Between
 * them nothing is published: by a power of the size, which never has a smaller job fail more often than a larger one.
 */
export function smallJobFactor(gpus: number): number {
  const position = Math.log(gpus / measuredSmall.gpus) / Math.log(leastScalingGpus / measuredSmall.gpus);
  return measuredSmall.factor ** Math.min(1, Math.max(0, 1 - position));
}

export type FailureRateId = (typeof failureRates)[number]['id'];

export const failureRateChoices: readonly { value: FailureRateId; label: string }[] = failureRates.map(({ id, label }) => ({
  value: id,
  label,
}));

/** @returns the rate of an id */
export function failureRateOf(id: FailureRateId): FailureRate {
  return failureRates.find((rate) => rate.id === id) ?? failureRates[0];
}
