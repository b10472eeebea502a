import * as v from 'valibot';
import { limits } from '../../bytes/limits.js';
import { amountField as amount, countField as count } from '../measurementFields.js';
import { sustainedEnds, sustainedOutcomes } from './sustainedReport.js';

/** The sustained rate of a report that comes out of a file. */
export const sustainedField = v.object({
  outcome: v.picklist(sustainedOutcomes),
  bytesPerSecond: amount,
  minimumBytesPerSecond: amount,
  maximumBytesPerSecond: amount,
  burst: v.nullable(v.object({ bytesPerSecond: amount, bytes: count, seconds: amount })),
  bytes: count,
  seconds: amount,
  endedBy: v.picklist(sustainedEnds),
  mostBytes: count,
  mostSeconds: amount,
  roomBytes: count,
  writtenBeforeBytes: count,
  streams: count,
  isDirect: v.boolean(),
  curve: v.pipe(
    v.array(v.object({ seconds: amount, bytesPerSecond: amount })),
    v.minLength(1),
    v.maxLength(limits.sustainedCurvePoints),
  ),
});
