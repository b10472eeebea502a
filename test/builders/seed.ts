/**
 * The number from which a run takes its places, values and random inputs. vitest.config.mts sets it once for all workers: another one
 * each day, so that a day's runs agree with each other and successive days visit what one run leaves out.
 */
export const seed = seedOf(process.env['STOWAGE_SEED']);

/** Set by `npm run test:exhaustive`: every fixture, every place, the full number of random inputs. */
export const isExhaustive = process.env['STOWAGE_EXHAUSTIVE'] === '1';

/** Parameters of a fast-check property: a number of runs for `npm test`, ten times as many in the exhaustive run unless given. */
export function runs(usual: number, exhaustive = usual * 10): { numRuns: number; seed: number } {
  return { numRuns: isExhaustive ? exhaustive : usual, seed };
}

function seedOf(text: string | undefined): number {
  const value = Number(text);
  if (text === undefined || text === '' || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`STOWAGE_SEED must be a whole number, not ${JSON.stringify(text)}.`);
  return value;
}
