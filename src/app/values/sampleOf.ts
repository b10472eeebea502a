import type { Sample } from '../../core/values/valueTask.js';
import { InputError } from '../useCaseError.js';

/** The sample that inputs ask for; undefined for all. @throws InputError */
export function sampleOf({ sampleShare, seed }: { sampleShare?: number; seed?: number }): Sample | undefined {
  if (sampleShare === undefined) {
    if (seed !== undefined) throw InputError.ofInput('seed', 'goes with a sample');
    return undefined;
  }
  if (!(sampleShare > 0 && sampleShare <= 1)) throw InputError.ofInput('sample', 'takes a share above 0 and up to 100%');
  return sampleShare === 1 ? undefined : { share: sampleShare, seed: seed ?? 1 };
}
