/** What a bandwidth check measured, as the beginning of a plan. */
import type { PlanDocument } from '../inputs/planDocument.js';
import { placeName } from '../../files/paths.js';
import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';
import { readsMemory } from '../../bandwidth/cachedReads.js';
import { documentOf } from './documentOf.js';

/** Never throws. Reads that may have come from memory are left out. Bandwidths are of as many nodes as measured: one node's is the least that a plan for several has. */
export function planOfBandwidth(report: BandwidthReport): PlanDocument {
  const { path, shape, write, read, nodes, verdict, measuredAt } = report;
  const of = nodes === null ? 'one node' : `${nodes.count} nodes`;
  return documentOf(
    shape.replayOf ?? path,
    { kind: 'measured', text: `${of} at ${placeName(path)}, ${measuredAt.slice(0, 10)}` },
    {
      writeBytesPerSecond: write.medianBytesPerSecond,
      readBytesPerSecond: readsMemory(report) ? null : read.medianBytesPerSecond,
      // A size alone is no checkpoint's unless it is larger than what a check writes by itself.
      checkpointBytes: shape.replayOf !== null || shape.scale < 1 ? shape.realBytes : null,
      intervalSeconds: verdict.interval.isAssumed ? null : verdict.interval.seconds,
    },
  );
}
