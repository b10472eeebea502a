import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { componentIds, type ComponentId } from '../tensors/component.js';
import type { ComponentSize, Sides } from './comparisonReport.js';

/** Bytes and tensors of each component that either side has. */
export function compareComponents(a: CheckpointReport, b: CheckpointReport): Partial<Record<ComponentId, Sides<ComponentSize>>> {
  const compared: Partial<Record<ComponentId, Sides<ComponentSize>>> = {};
  for (const id of componentIds)
    if (a.components[id] !== undefined || b.components[id] !== undefined) compared[id] = { a: sizeOf(a, id), b: sizeOf(b, id) };
  return compared;
}

function sizeOf({ components }: CheckpointReport, id: ComponentId): ComponentSize {
  const { tensorBytes = 0, otherBytes = 0, tensors = 0 } = components[id] ?? {};
  return { bytes: tensorBytes + otherBytes, tensors };
}
