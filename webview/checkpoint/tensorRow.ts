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

/** Decodes a page's Arrow stream. A column that the host does not send is empty. */
export function decodeTensorRows(page: TensorPage): TensorRow[] {
  const table = tableFromIPC(page.arrow);
  const text = (name: string): ((index: number) => string) => {
    const vector = table.getChild(name);
    return (index) => (vector?.get(index) as string | null | undefined) ?? '';
  };
  const number = (name: string): ((index: number) => number) => {
    const vector = table.getChild(name);
    return (index) => Number(vector?.get(index) ?? 0);
  };
  const [row, elements, bytes, files] = [number('row'), number('elements'), number('bytes'), number('files')];
  const [name, dtype, shape, component] = [text('name'), text('dtype'), text('shape'), text('component')];
  const [part, file, layer] = [text('part'), text('file'), text('layer')];
  return Array.from({ length: table.numRows }, (_, index) => ({
    row: row(index),
    name: name(index),
    dtype: dtype(index),
    shape: shape(index),
    elements: elements(index),
    bytes: bytes(index),
    component: component(index) as ComponentId,
    part: part(index) as TensorPart,
    file: file(index),
    files: files(index),
    layer: layer(index),
  }));
}
