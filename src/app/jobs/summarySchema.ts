/** What a task says of the values that it read. Whoever can write into the job's folder can write this. */
import * as v from 'valibot';
import type { StoredSummary } from '../../core/values/readTask.js';
import { count } from './outcomeSchema.js';

const finite = v.nullable(v.number());
const exact = v.nullable(v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d{1,20}$/))]));

export const summarySchema: v.GenericSchema<unknown, StoredSummary> = v.object({
  row: count,
  isScaled: v.boolean(),
  summary: v.object({
    count,
    nan: count,
    positiveInf: count,
    negativeInf: count,
    zeros: count,
    min: exact,
    max: exact,
    mean: finite,
    std: finite,
    histogram: v.nullable(v.object({ edges: v.array(v.number()), counts: v.array(count) })),
  }),
  bytes: count,
  place: v.nullable(
    v.object({
      path: v.string(),
      offset: count,
      plainOffset: count,
      inUnit: count,
      unitBytes: count,
      unitElements: count,
    }),
  ),
  problem: v.nullable(v.object({ path: v.string(), offset: count, detail: v.string() })),
});
