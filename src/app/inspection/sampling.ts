import { usualSampling, type SamplingOptions } from '../../core/datasets/text/estimateText.js';
import { type InspectInput, largestSeed, longestSampleSeconds } from '../useCaseInputs.js';
import { InputError } from '../useCaseError.js';

/** As many as a usual tokenizer counts. */
const windowsPerSecond = 50;
const mostWindows = 100_000;

/** How raw text is sampled, where an input sets it. @throws InputError for a value out of its range */
export function samplingOf({ seed, sampleSeconds }: Pick<InspectInput, 'seed' | 'sampleSeconds'>): Partial<SamplingOptions> {
  if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed <= largestSeed))
    throw InputError.ofInput('seed', `takes a whole number from 0 to ${largestSeed}`);
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(sampleSeconds === undefined ? {} : timeOf(sampleSeconds)),
  };
}

/** For this long a usual tokenizer takes for the usual windows. */
const usualSeconds = 3;

/** At most this long, and more windows than usual where that is time for them. */
function timeOf(seconds: number): Partial<SamplingOptions> {
  if (!(seconds > 0 && seconds <= longestSampleSeconds))
    throw InputError.ofInput('sampleSeconds', `takes a number of seconds above 0 and up to ${longestSampleSeconds}`);
  const milliseconds = seconds * 1000;
  if (seconds <= usualSeconds) return { milliseconds };
  const windows = Math.min(mostWindows, Math.round(seconds * windowsPerSecond));
  const bytes = Math.max(usualSampling.wholeBytes, windows * usualSampling.windowBytes);
  return { milliseconds, windows, wholeBytes: bytes, tokenizedBytes: bytes };
}
