/** What a bandwidth check measured, as the beginning of a plan. */
import type { PlanDocument } from '../inputs/planDocument.js';
import { placeName } from '../../files/paths.js';
import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';
import { readsMemory } from '../../bandwidth/cachedReads.js';
import { expectedRate } from '../../bandwidth/verdict/rateBounds.js';
import { planFields } from '../inputs/planFields.js';
import { storeOfType } from '../systems/storeOfType.js';
import { documentOf, type PlanValues } from './documentOf.js';

/**
 * Never throws. The write rate is the sustained one where that was measured: a plan is for saves without end. Reads that may have come from memory are left out. Rates of one node are never those of a whole storage: on its own drives they
 * are what the drives give, on a shared file system what one node gets of it.
 */
export function planOfBandwidth(report: BandwidthReport): PlanDocument {
  const { path, shape, read, nodes, verdict, measuredAt } = report;
  const written = expectedRate(report);
  const of = `${nodes === null ? 'one node' : `${nodes.count} nodes`}${written.of === 'sustained' ? ', sustained,' : ''}`;
  const readRate = readsMemory(report) ? null : read.medianBytesPerSecond;
  return documentOf(
    shape.replayOf ?? path,
    { kind: 'measured', text: `${of} at ${placeName(path)}, ${measuredAt.slice(0, 10)}` },
    {
      store: storeOfType(report.fileSystem.type),
      ...ratesOf(report, written.bytesPerSecond, readRate),
      // A size alone is no checkpoint's unless it is larger than what a check writes by itself.
      checkpointBytes: shape.replayOf !== null || shape.scale < 1 ? shape.realBytes : null,
      intervalSeconds: verdict.interval.isAssumed ? null : verdict.interval.seconds,
    },
  );
}

/** Which inputs of a plan the measured rates are. Of an unknown file system they are taken for those of one node of a shared one. */
function ratesOf({ fileSystem, nodes }: BandwidthReport, write: number, read: number | null): PlanValues {
  if (nodes !== null) return { writeBytesPerSecond: write, readBytesPerSecond: read };
  if (fileSystem.kind === 'node') return ownDrives(write, read);
  if (fileSystem.kind === 'memory' || fileSystem.kind === 'overlay') return {};
  return fileSystem.kind === 'object' ? { objectBytesPerSecond: write } : { clientBytesPerSecond: write };
}

/** A job of one node that saves to its own drives: no other node reaches them. */
function ownDrives(write: number, read: number | null): PlanValues {
  return {
    gpus: planFields.gpusPerNode.standard,
    store: 'local-nvme',
    writeBytesPerSecond: write,
    readBytesPerSecond: read,
    nvmeWriteBytesPerSecond: write,
    nvmeReadBytesPerSecond: read,
  };
}
