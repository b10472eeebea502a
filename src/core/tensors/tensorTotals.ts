import { componentIds, tensorParts, type ComponentId, type TensorPart } from './component.js';
import type { TensorTable } from './tensorTable.js';

export interface PartTotals {
  tensors: number;
  /** dtypes by bytes, the largest first. */
  dtypes: string[];
}

/** Tensors and dtypes of each component and part, counted in one pass over the table. */
export class TensorTotals {
  private readonly tensors = new Map<string, number>();
  private readonly dtypes = new Map<string, string[]>();

  constructor(table: TensorTable) {
    const groups = componentIds.length * tensorParts.length;
    const counts = new Uint32Array(groups);
    const bytes = new Float64Array(groups * 256);
    for (let row = 0; row < table.size; row++) {
      const group = table.groupOf(row);
      counts[group] = (counts[group] as number) + 1;
      const cell = group * 256 + table.dtypeNumberOf(row);
      // Tensors without bytes still have a dtype to show.
      bytes[cell] = (bytes[cell] as number) + table.bytesOf(row) + 1;
    }
    counts.forEach((count, group) => {
      if (count === 0) return;
      const key = keyOf(
        componentIds[Math.floor(group / tensorParts.length)] as ComponentId,
        tensorParts[group % tensorParts.length] as TensorPart,
      );
      const byDtype = Array.from(bytes.subarray(group * 256, group * 256 + 256), (sum, dtype) => ({ sum, dtype })).filter(
        ({ sum }) => sum > 0,
      );
      this.tensors.set(key, count);
      this.dtypes.set(
        key,
        byDtype.sort((a, b) => b.sum - a.sum).map(({ dtype }) => table.dtypeName(dtype)),
      );
    });
  }

  /** Totals of a part, or of all parts of a component for `whole`. */
  of(component: ComponentId, part: TensorPart): PartTotals {
    const keys = part === 'whole' ? tensorParts.map((each) => keyOf(component, each)) : [keyOf(component, part)];
    return {
      tensors: keys.reduce((sum, key) => sum + (this.tensors.get(key) ?? 0), 0),
      dtypes: [...new Set(keys.flatMap((key) => this.dtypes.get(key) ?? []))],
    };
  }
}

function keyOf(component: ComponentId, part: TensorPart): string {
  return `${component}.${part}`;
}
