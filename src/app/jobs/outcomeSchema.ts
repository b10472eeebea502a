/** What a task says of a file that it verified. Whoever can write into the job's folder can write this. */
import * as v from 'valibot';
import type { DatedOutcome } from '../../core/verification/verifyTree.js';
import type { SumKind } from '../../core/verification/verification.js';

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const extent = v.object({ offset: count, length: count });

export const outcomeSchema: v.GenericSchema<unknown, DatedOutcome> = v.object({
  modifiedMs: v.nullable(v.number()),
  outcome: v.object({
    file: v.object({
      path: v.string(),
      bytes: count,
      status: v.picklist(['same', 'changed', 'missing', 'extra', 'unreadable', 'unverifiable']),
      by: v.array(v.custom<SumKind>((value) => typeof value === 'string')),
      coverage: v.object({ bytes: count, of: count }),
      damage: v.array(v.object({ offset: count, length: count, what: v.string() })),
      reason: v.nullable(v.string()),
    }),
    hashedBytes: count,
    isHole: v.exactOptional(v.boolean()),
    covered: v.array(extent),
    listed: v.nullable(
      v.object({
        path: v.string(),
        bytes: count,
        modifiedMs: v.nullable(v.number()),
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
        crc32c: v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))),
      }),
    ),
  }),
});
