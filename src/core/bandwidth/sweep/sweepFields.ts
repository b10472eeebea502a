import * as v from 'valibot';
import { limits } from '../../bytes/limits.js';
import { amountField as amount, countField as count } from '../measurementFields.js';

/** Points of both modes. */
const mostPoints = 2 * limits.sweepPoints;

/** The sweep of a report that comes out of a file. */
export const sweepField = v.object({
  points: v.pipe(
    v.array(
      v.object({
        streams: count,
        isDirect: v.boolean(),
        medianBytesPerSecond: amount,
        minimumBytesPerSecond: amount,
        maximumBytesPerSecond: amount,
        runs: v.pipe(
          v.array(v.object({ bytes: count, seconds: amount, bytesPerSecond: amount })),
          v.minLength(1),
          v.maxLength(limits.checkRepeats),
        ),
      }),
    ),
    v.minLength(1),
    v.maxLength(mostPoints),
  ),
  modes: v.pipe(
    v.array(
      v.object({
        isDirect: v.boolean(),
        streams: count,
        range: v.tuple([count, count]),
        bestStreams: count,
        bestBytesPerSecond: amount,
        isStillRising: v.boolean(),
      }),
    ),
    v.minLength(1),
    v.maxLength(2),
  ),
  recommended: v.object({ streams: count, isDirect: v.boolean(), medianBytesPerSecond: amount }),
  seconds: amount,
  spaceBytes: count,
});
