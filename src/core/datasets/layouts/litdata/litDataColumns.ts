/** The leaves of LitData's samples as columns. */
import type { LitDataLeaf } from '../../../formats/litDataIndex.js';
import { bytesOfElements, isFloatDtype } from '../../../tensors/dtype.js';
import { roleOfColumn, settleRoles, type ColumnShape } from '../../columnRole.js';
import type { MdsRoleColumn } from '../mds/mdsColumns.js';

/** Every leaf states its size in each sample, so that none is fixed. */
export function columnsOfLeaves(leaves: readonly LitDataLeaf[]): MdsRoleColumn[] {
  const columns = leaves.map(({ name, format, dtype }): MdsRoleColumn => {
    const shape = shapeOf(format, dtype);
    const itemBytes = bytesOfElements(dtype ?? '', 1);
    return {
      name,
      encoding: format,
      fixedBytes: null,
      dtype: dtype ?? (format === 'int' ? 'i64' : format === 'float' ? 'f64' : null),
      shape,
      role: roleOfColumn(name, shape),
      valuesOf(bytes, samples) {
        if (itemBytes === undefined) return shape === 'bytes' ? null : samples;
        return bytes === null ? null : Math.floor(bytes / itemBytes);
      },
    };
  });
  settleRoles(columns);
  return columns;
}

function shapeOf(format: string, dtype: string | null): ColumnShape {
  if (dtype !== null) return isFloatDtype(dtype) ? 'other' : 'integers';
  if (format === 'str' || format === 'string') return 'text';
  return format === 'bytes' ? 'bytes' : 'other';
}
