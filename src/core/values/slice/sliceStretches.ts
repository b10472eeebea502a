/** Which bytes are read for some elements: few reads, and not many bytes between them. */
import { limits } from '../../bytes/limits.js';

/** Units of a storage one after the other, which one read gets. */
export interface Stretch {
  unit: number;
  units: number;
  /** Those of them that hold elements, ascending. */
  wanted: number[];
}

/** Between two elements that one read gets, first what is tried first: a round trip takes longer than 4 kB. */
const gapsBytes = [4096, 0];

/**
 * The stretches that hold all of these units; null where they take more reads or bytes than a slice may.
 * @param units ascending
 */
export function sliceStretches(units: Float64Array, unitBytes: number): Stretch[] | null {
  for (const gapBytes of gapsBytes) {
    const stretches = joined(units, Math.floor(gapBytes / unitBytes));
    const bytes = stretches.reduce((sum, stretch) => sum + stretch.units * unitBytes, 0);
    if (stretches.length <= limits.sliceReads && bytes <= limits.sliceBytes) return stretches;
  }
  return null;
}

function joined(units: Float64Array, gap: number): Stretch[] {
  const stretches: Stretch[] = [];
  let last: Stretch | undefined;
  for (const unit of units) {
    if (last !== undefined && unit <= last.unit + last.units + gap) {
      last.units = unit + 1 - last.unit;
      last.wanted.push(unit);
    } else stretches.push((last = { unit, units: 1, wanted: [unit] }));
  }
  return stretches;
}
