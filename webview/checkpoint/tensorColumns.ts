import { html, nothing, type TemplateResult } from 'lit';
import { labelOfPart } from '../../src/core/checkpoints/segments.js';
import type { ComponentId, TensorPart } from '../../src/core/tensors/component.js';
import type { ModuleRow, TensorColumn, TensorFacets, TensorRow } from '../../src/core/tensors/tensorQuery.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { exactBytes } from '../shared/byteText.js';
import { fillOf } from '../shared/componentColor.js';
import { fileText } from '../shared/fileText.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { middleText } from '../shared/middleText.js';

/** What a tensor and a module have alike; of a module empty or null where its tensors differ. */
interface TensorCells {
  name: string;
  dtype: string;
  shape: string;
  elements: number;
  bytes: number;
  component: ComponentId | null;
  part: TensorPart | null;
  file: string;
  files: number;
  layer: string;
}

type Column<Row> = GridColumn<Row> & { id: TensorColumn };

/** All but the names; their ids are what the host sorts by. */
const columns: Column<TensorCells>[] = [
  {
    id: 'dtype',
    label: 'dtype',
    widthPx: 72,
    value: ({ dtype }) => dtype,
    cell: ({ dtype }) => fileText(dtype),
    title: ({ dtype }) => visibleText(dtype),
  },
  {
    id: 'shape',
    label: 'shape',
    widthPx: 126,
    isNumber: true,
    value: ({ shape }) => shape,
    cell: ({ shape }) => fileText(shape),
    title: ({ shape }) => visibleText(shape),
  },
  { id: 'elements', label: 'elements', widthPx: 116, isNumber: true, value: ({ elements }) => elements },
  {
    id: 'bytes',
    label: 'bytes',
    widthPx: 88,
    isNumber: true,
    worth: Infinity,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => formatBytes(bytes),
    title: ({ bytes }) => exactBytes(bytes),
  },
  {
    id: 'component',
    label: 'component',
    widthPx: 150,
    value: ({ component, part }) => componentWords(component, part),
    cell: ({ component, part }) =>
      component === null
        ? nothing
        : html`<span class="swatch fill ${fillOf(component, part ?? 'whole')}"></span>${componentWords(component, part)}`,
    title: ({ component, part }) => componentWords(component, part),
  },
  {
    id: 'file',
    label: 'file',
    widthPx: 160,
    value: ({ file }) => file,
    cell: ({ file, files }) =>
      html`<span class="mono">${middleText(file)}</span>${files > 1 ? html` <span class="muted">+${files - 1}</span>` : nothing}`,
    title: ({ file, files }) => (files > 1 ? `${visibleText(file)} and ${files - 1} more` : visibleText(file)),
  },
  {
    id: 'layer',
    label: 'layer',
    widthPx: 96,
    value: ({ layer }) => layer,
    cell: ({ layer }) => fileText(layer),
    title: ({ layer }) => visibleText(layer),
  },
];

/** The columns of the list of tensors. */
export const tensorColumns: Column<TensorRow>[] = [
  {
    id: 'name',
    label: 'name',
    widthPx: 300,
    value: ({ name }) => name,
    cell: ({ name }) => html`<span class="mono">${middleText(name)}</span>`,
    title: ({ name }) => visibleText(name),
  },
  ...columns,
];

/** Those of the tree of modules. */
export const moduleColumns: Column<ModuleRow>[] = [
  {
    id: 'name',
    label: 'name',
    widthPx: 300,
    value: ({ name }) => name,
    cell: (row) => html`<span class="mono node-name">${middleText(row.label)}</span>${sizeOfModule(row)}`,
    title: ({ name }) => visibleText(name),
  },
  ...columns,
];

/** What all tensors of a checkpoint have alike, in place of its column. */
export function constantTensorColumns({ dtypes, components, files, layers }: TensorFacets): Record<string, unknown> {
  const only = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);
  const [dtype, component, file, layer] = [only(dtypes), only(components), only(files), only(layers)];
  return {
    ...(dtype !== undefined && { dtype: html`all ${fileText(dtype.value)}` }),
    ...(component !== undefined && { component: html`all ${componentWords(component.value as ComponentId, null)}` }),
    ...(file !== undefined && { file: html`all in <span class="mono">${fileText(file.value)}</span>` }),
    ...(layer !== undefined && { layer: layer.value === '' ? 'outside of layers' : html`all in ${fileText(layer.value)}` }),
  };
}

/** `32 × 9 tensors`. */
function sizeOfModule({ kind, repeats, tensors }: ModuleRow): TemplateResult | typeof nothing {
  if (kind === 'tensor') return nothing;
  const words =
    kind === 'fold' ? `${formatCount(repeats)} × ${counted(tensors / repeats, 'tensor')}` : counted(tensors, 'tensor');
  return html`<span class="size muted num">${words}</span>`;
}

function componentWords(component: ComponentId | null, part: TensorPart | null): string {
  return component === null ? '' : labelOfPart(component, part ?? 'whole');
}
