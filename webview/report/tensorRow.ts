import { tableFromIPC } from 'apache-arrow/ipc/serialization';
import type { ComponentId, TensorPart } from '../../src/core/tensors/component.js';
import type { TensorPage } from '../../src/core/tensors/tensorQuery.js';

/** One row of the tensor table as the page shows it. */
export interface TensorRow {
  /** Stable id, whatever the order. */
  row: number;
  name: string;
  dtype: string;
  shape: string;
  elements: number;
  bytes: number;
  component: ComponentId;
  part: TensorPart;
  file: string;
  files: number;
  layer: string;
}

/** Decodes a page's Arrow stream. */
export function decodeTensorRows(page: TensorPage): TensorRow[] {
  const table = tableFromIPC(page.arrow);
  const column = (name: string): ((index: number) => unknown) => {
    const vector = table.getChild(name);
    return (index) => vector?.get(index) as unknown;
  };
  const [row, name, dtype, shape, elements, bytes] = ['row', 'name', 'dtype', 'shape', 'elements', 'bytes'].map(column);
  const [component, part, file, files, layer] = ['component', 'part', 'file', 'files', 'layer'].map(column);
  return Array.from({ length: table.numRows }, (_, index) => ({
    row: Number(row?.(index)),
    name: String(name?.(index) ?? ''),
    dtype: String(dtype?.(index) ?? ''),
    shape: String(shape?.(index) ?? ''),
    elements: Number(elements?.(index)),
    bytes: Number(bytes?.(index)),
    component: String(component?.(index)) as ComponentId,
    part: String(part?.(index)) as TensorPart,
    file: String(file?.(index) ?? ''),
    files: Number(files?.(index)),
    layer: String(layer?.(index) ?? ''),
  }));
}
