import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { ComparisonReport, TensorForm } from '../../src/core/comparison/comparisonReport.js';
import {
  fusedRows,
  shapeWords,
  tensorRows,
  tensorStates,
  type ComparedTensor,
  type FusedRow,
  type TensorState,
} from '../../src/core/pages/comparison/comparedRows.js';
import { tensorNotes } from '../../src/core/pages/comparison/comparisonPage.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/dataGrid.js';
import type { DataGrid } from '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { fusedColumns } from './compareColumns.js';
import { emitCompareEvent } from './compareEvents.js';

/** Tensors of the model that differ in name, dtype or shape. */
@customElement('stowage-compared-tensors')
export class ComparedTensors extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    css`
      h2 {
        margin: 18px 0 6px;
      }
      .note {
        max-width: 110ch;
        margin: 6px 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) report!: ComparisonReport;
  /** Only those of this state. */
  @property({ attribute: false }) chosen: TensorState | null = null;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid<ComparedTensor>;
  private rows: readonly ComparedTensor[] = [];
  private fused: readonly FusedRow[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.fused = fusedRows(this.report);
    if (!changed.has('report') && !changed.has('chosen')) return;
    const { rows } = tensorRows(this.report);
    this.rows = this.chosen === null ? rows : rows.filter(({ state }) => state === this.chosen);
  }

  override render(): TemplateResult {
    const { counts, same, tied } = this.report.tensors;
    const total = tensorStates.reduce((sum, state) => sum + counts[state], 0);
    return html`<stowage-data-grid
        .name=${'tensors'}
        .label=${'Tensors'}
        .noun=${'difference'}
        .columns=${columns}
        .rows=${this.rows}
        .total=${this.chosen === null ? total : counts[this.chosen]}
        .emptyText=${`Names and shapes of ${counted(same + tied, 'tensor')} of the model are the same.`}
        .state=${this.tables['tensors'] ?? initialGridState}
      >
        ${total === 0 ? nothing : tensorStates.filter((state) => counts[state] > 0).map((state) => this.renderChip(state, counts[state]))} </stowage-data-grid
      >${tensorNotes(this.report).map((note) => html`<p class="note"><bdi>${note}</bdi></p>`)}${this.renderFused()}`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid.focusSearch();
  }

  /** Tensors that are several on one side and one on the other; that is no difference. */
  private renderFused(): TemplateResult | typeof nothing {
    const { fusedCount } = this.report.tensors;
    if (fusedCount === 0) return nothing;
    return html`<h2>Fused or stacked on one side</h2>
      <stowage-data-grid
        .name=${'fused'}
        .label=${'Fused or stacked on one side'}
        .noun=${'group'}
        .columns=${fusedColumns}
        .rows=${this.fused}
        .total=${fusedCount}
        .state=${this.tables['fused'] ?? initialGridState}
      ></stowage-data-grid>`;
  }

  private renderChip(state: TensorState, count: number): TemplateResult {
    const isOn = this.chosen === state;
    return html`<button
      slot="filters"
      class="chip ${isOn ? 'on' : ''}"
      aria-pressed=${isOn}
      @click=${() => emitCompareEvent(this, 'compare-state', { tensorState: isOn ? null : state })}
    >
      ${state} <span class="num">${formatCount(count)}</span>
    </button>`;
  }
}

const columns: GridColumn<ComparedTensor>[] = [
  {
    id: 'name',
    label: 'tensor',
    widthPx: 200,
    value: nameWords,
    cell: (row) => html`<span class="mono">${middleText(nameWords(row))}</span>`,
    title: (row) => visibleText(nameWords(row)),
  },
  { id: 'state', label: 'state', widthPx: 84, worth: 1, value: ({ state }) => state },
  formColumn('a'),
  formColumn('b'),
];

function nameWords({ name, nameInB }: ComparedTensor): string {
  return nameInB === null ? name : `${name} → ${nameInB}`;
}

/** What differs between both sides stands out. */
function formColumn(side: 'a' | 'b'): GridColumn<ComparedTensor> {
  const words = (row: ComparedTensor): string => formWords(row[side]);
  return {
    id: side,
    label: side.toUpperCase(),
    widthPx: 132,
    worth: Infinity,
    value: words,
    cell: ({ a, b, [side]: own }) => {
      if (own === null) return html`<span class="muted">–</span>`;
      const [dtype, shape] = [fileText(own.dtype), shapeWords(own)];
      if (a === null || b === null) return html`${dtype} ${shape}`;
      return html`${a.dtype === b.dtype ? dtype : html`<strong>${dtype}</strong>`}
      ${shapeWords(a) === shapeWords(b) ? shape : html`<strong>${shape}</strong>`}`;
    },
    title: (row) => visibleText(words(row)),
  };
}

function formWords(form: TensorForm | null): string {
  return form === null ? '' : `${form.dtype} ${shapeWords(form)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-compared-tensors': ComparedTensors;
  }
}
