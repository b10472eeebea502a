import { html } from 'lit';
import type { ComparedStep, RunDifferences, SettingDifference } from '../../src/core/comparison/comparisonReport.js';
import {
  differenceWords,
  settingPlace,
  stepWords,
  type ComparedComponent,
  type ComparedFile,
  type FusedRow,
  type OptimizerParameter,
} from '../../src/core/pages/comparison/comparedRows.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { exactBytes } from '../shared/byteText.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { middleText } from '../shared/middleText.js';

export const componentColumns: GridColumn<ComparedComponent>[] = [
  { id: 'component', label: 'component', widthPx: 180, value: ({ label }) => label },
  ...bytesColumns<ComparedComponent>(({ bytes }) => bytes),
  {
    id: 'difference',
    label: 'B − A',
    widthPx: 104,
    isNumber: true,
    worth: 5,
    value: ({ bytes: { a, b } }) => b - a,
    cell: ({ bytes }) => differenceWords(bytes, formatBytes),
    title: ({ bytes: { a, b } }) => exactBytes(Math.abs(b - a)),
  },
  countColumn('tensorsA', 'tensors of A', ({ tensors }) => tensors.a),
  countColumn('tensorsB', 'tensors of B', ({ tensors }) => tensors.b),
];

export const settingColumns: GridColumn<SettingDifference>[] = [
  textColumn('name', 'setting', 220, ({ label }) => label, Infinity),
  textColumn('a', 'A', 150, ({ a }) => a, Infinity),
  textColumn('b', 'B', 150, ({ b }) => b, Infinity),
  textColumn('file', 'file', 180, settingPlace, 1),
];

export const fileColumns: GridColumn<ComparedFile>[] = [
  textColumn('path', 'file', 240, ({ path }) => path, Infinity),
  { id: 'state', label: 'state', widthPx: 96, worth: Infinity, value: ({ state }) => state },
  ...bytesColumns<ComparedFile>(({ bytes }) => bytes),
];

export const parameterColumns: GridColumn<OptimizerParameter>[] = [
  textColumn('name', 'parameter', 320, ({ name }) => name, Infinity),
  { id: 'side', label: 'moments in', widthPx: 120, worth: Infinity, value: ({ side }) => `${side} alone` },
];

export const fusedColumns: GridColumn<FusedRow>[] = [
  textColumn('a', 'A', 320, ({ a }) => a, Infinity),
  textColumn('b', 'B', 460, ({ b }) => b, Infinity),
];

export function stepColumns(run: RunDifferences): GridColumn<ComparedStep>[] {
  return [
    { id: 'step', label: 'step', widthPx: 120, value: ({ step }) => step, cell: ({ step }) => formatCount(step) },
    ...bytesColumns<ComparedStep>(({ bytes }) => bytes),
    textColumn('first', 'first of another', 320, (step) => stepWords(run, step), 1),
  ];
}

/** Text of a file; shortened in its middle. */
function textColumn<Row>(
  id: string,
  label: string,
  widthPx: number,
  text: (row: Row) => string | null,
  worth: number,
): GridColumn<Row> {
  return {
    id,
    label,
    widthPx,
    worth,
    value: text,
    cell: (row) => {
      const own = text(row);
      return own === null ? html`<span class="muted">–</span>` : html`<span class="mono">${middleText(own)}</span>`;
    },
    title: (row) => visibleText(text(row) ?? ''),
  };
}

function bytesColumns<Row>(bytes: (row: Row) => { a: number | null; b: number | null }): GridColumn<Row>[] {
  return (['a', 'b'] as const).map((side) => ({
    id: `${side}Bytes`,
    label: side.toUpperCase(),
    widthPx: 96,
    isNumber: true,
    worth: Infinity,
    value: (row) => bytes(row)[side],
    cell: (row) => {
      const own = bytes(row)[side];
      return own === null ? '–' : formatBytes(own);
    },
    title: (row) => {
      const own = bytes(row)[side];
      return own === null ? '' : exactBytes(own);
    },
  }));
}

function countColumn<Row>(id: string, label: string, count: (row: Row) => number): GridColumn<Row> {
  return { id, label, widthPx: 112, isNumber: true, worth: 1, value: count, cell: (row) => formatCount(count(row)) };
}
