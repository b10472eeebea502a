import { html } from 'lit';
import { labelOfPart } from '../../src/core/checkpoints/segments.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import type { TensorColumn } from '../../src/core/tensors/tensorQuery.js';
import { exactBytes } from '../shared/byteText.js';
import { fillOf } from '../shared/componentColor.js';
import type { GridColumn } from '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { TensorRow } from './tensorRow.js';

/** The columns of the tensor table; their ids are what the host sorts by. */
export const tensorColumns: (GridColumn<TensorRow> & { id: TensorColumn })[] = [
  {
    id: 'name',
    label: 'name',
    width: 300,
    sortable: true,
    cell: ({ name }) => html`<span class="mono">${fileText(name)}</span>`,
    title: ({ name }) => visibleText(name),
  },
  {
    id: 'dtype',
    label: 'dtype',
    width: 78,
    sortable: true,
    cell: ({ dtype }) => fileText(dtype),
    title: ({ dtype }) => visibleText(dtype),
  },
  {
    id: 'shape',
    label: 'shape',
    width: 130,
    alignEnd: true,
    sortable: true,
    cell: ({ shape }) => fileText(shape),
    title: ({ shape }) => visibleText(shape),
  },
  {
    id: 'elements',
    label: 'elements',
    width: 116,
    alignEnd: true,
    sortable: true,
    cell: ({ elements }) => formatCount(elements),
  },
  {
    id: 'bytes',
    label: 'bytes',
    width: 88,
    alignEnd: true,
    sortable: true,
    cell: ({ bytes }) => formatBytes(bytes),
    title: ({ bytes }) => exactBytes(bytes),
  },
  {
    id: 'component',
    label: 'component',
    width: 150,
    sortable: true,
    cell: ({ component, part }) =>
      html`<span class="swatch fill ${fillOf(component, part)}"></span>${labelOfPart(component, part)}`,
    title: ({ component, part }) => labelOfPart(component, part),
  },
  {
    id: 'file',
    label: 'file',
    width: 190,
    sortable: true,
    cell: ({ file, files }) =>
      html`<span class="mono">${fileText(file)}</span>${files > 1 ? html` <span class="muted">+${files - 1}</span>` : ''}`,
    title: ({ file, files }) => (files > 1 ? `${visibleText(file)} and ${files - 1} more` : visibleText(file)),
  },
  {
    id: 'layer',
    label: 'layer',
    width: 100,
    sortable: true,
    cell: ({ layer }) => fileText(layer),
    title: ({ layer }) => visibleText(layer),
  },
];
