import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { ComparisonReport } from '../../src/core/comparison/comparisonReport.js';
import { valueRows, type ComparedValues } from '../../src/core/pages/comparison/comparedRows.js';
import { shortNumber } from '../../src/core/pages/comparison/shortNumber.js';
import { valueHeatMap, type ValueHeatMap } from '../../src/core/pages/comparison/valueHeatMap.js';
import { counted, shortShare } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ValuesProgress } from '../../src/core/values/valuesReport.js';
import type { ComparedValuesState } from '../../src/protocol/messages.js';
import { progressTrackStyles, renderTrack } from '../panel/progressTrack.js';
import { verdictIcon } from '../panel/severityIcons.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/dataGrid.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { emitGridEvent } from '../shared/gridEvents.js';
import { firstPosition, initialGridState, type GridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { severityStyles } from '../shared/severityStyles.js';
import { emitCompareEvent } from './compareEvents.js';
import './valueHeatMapView.js';

/** Of each tensor, where not all of it is read. */
const sampleShare = 0.01;

/** Values of tensors that both have: asked for, under way, or what came of it, as a picture and as a table. */
@customElement('stowage-compared-values')
export class ComparedValuesView extends LitElement {
  static override styles = [
    baseStyles,
    severityStyles,
    progressTrackStyles,
    css`
      .ask {
        max-width: 72ch;
        margin: 8px 0 12px;
      }
      .verdict {
        display: flex;
        gap: 8px;
        margin: 0 0 8px;
        font-weight: 600;
      }
      .verdict vscode-icon {
        flex: none;
        margin-top: 1px;
      }
      stowage-value-heat-map {
        margin: 8px 0 16px;
      }
    `,
  ];

  @property({ attribute: false }) report!: ComparisonReport;
  @property({ attribute: false }) state!: ComparedValuesState;
  /** False where values are not read: in a browser. */
  @property({ attribute: false }) canRead = true;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid<ComparedValues> | null;
  private map: ValueHeatMap | null = null;
  private rows: readonly ComparedValues[] = [];
  private total = 0;
  private columns = columns;

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('report')) return;
    const { values = [], valuesCompared } = this.report;
    this.map = valuesCompared === undefined ? null : valueHeatMap(values, valuesCompared);
    const { rows, total } = valueRows(this.report);
    this.rows = rows;
    this.total = total;
    // A column without a word takes room from numbers.
    this.columns = rows.some(({ more }) => more !== '') ? columns : columns.filter(({ id }) => id !== 'more');
  }

  override render(): TemplateResult {
    const { state, canRead } = this;
    if (!canRead)
      return html`<p class="ask">Values are not read in a browser. Use the command line, or a window on a machine.</p>`;
    switch (state.kind) {
      case 'none':
        return html`<p class="ask">
            The comparison is by headers and small files. Compare Values reads the bytes of all tensors that both have with one
            shape and compares them element by element. Nothing is executed.
          </p>
          ${this.renderButtons('Compare values')}`;
      case 'running':
        return renderTrack({
          label: 'Comparison of values',
          ...progressOf(state.progress),
          onCancel: () => emitCompareEvent(this, 'compare-values-cancel', null),
        });
      case 'failed':
        return html`<p class="verdict">
            ${verdictIcon('error', 16)}<span>Values were not compared: ${visibleText(state.message)}</span>
          </p>
          ${this.renderButtons('Compare values again')}`;
      case 'done':
        return this.renderValues();
    }
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  /** @param isAsked false where values are known already */
  private renderButtons(label: string, isAsked = true): TemplateResult {
    return html`<div class="buttons">
      <vscode-button ?secondary=${!isAsked} @click=${() => emitCompareEvent(this, 'compare-values', 1)}>${label}</vscode-button>
      <vscode-button secondary @click=${() => emitCompareEvent(this, 'compare-values', sampleShare)}
        >Compare a sample of 1 %</vscode-button
      >
    </div>`;
  }

  private renderValues(): TemplateResult {
    const { map, rows, total } = this;
    return html`<p class="verdict" role="status">
        ${verdictIcon((this.report.valuesCompared?.different ?? 0) + (this.report.optimizer.values?.different ?? 0) === 0 ? 'fine' : 'note', 16)}<span
          >${wordsOf(this.report)}</span
        >
      </p>
      ${this.renderButtons('Compare values again', false)}
      ${
        map === null
          ? nothing
          : html`<stowage-value-heat-map
              .map=${map}
              @cell-choose=${({ detail }: CustomEvent<string>) => this.showTensor(detail)}
            ></stowage-value-heat-map>`
      }
      <stowage-data-grid
        .name=${'values'}
        .label=${'Values'}
        .noun=${'tensor'}
        .columns=${this.columns}
        .rows=${rows}
        .total=${total > rows.length ? total : null}
        .state=${this.gridState}
        .sort=${largestFirst}
        .emptyText=${'There are no tensors that both have with one shape.'}
      ></stowage-data-grid>`;
  }

  private get gridState(): GridState {
    return this.tables['values'] ?? initialGridState;
  }

  /** A search that leaves the row out is emptied. */
  private showTensor(name: string): void {
    const isShown = (): boolean => this.grid?.goToRow((row) => row.name === name) === true;
    if (isShown()) return;
    emitGridEvent(this, 'grid-state', { table: 'values', state: { ...this.gridState, search: '', position: firstPosition } });
    // The state comes back through the panel, and all of it is rendered by then.
    setTimeout(isShown);
  }
}

function progressOf(progress: ValuesProgress | null): { share: number | null; text: string } {
  if (progress === null) return { share: null, text: 'Inspecting both again' };
  const { bytesRead, totalBytes } = progress;
  return {
    share: totalBytes === 0 ? 0 : bytesRead / totalBytes,
    text: `${formatBytes(bytesRead)} of ${formatBytes(totalBytes)}`,
  };
}

function wordsOf({ valuesCompared, optimizer }: ComparisonReport): string {
  if (valuesCompared === undefined) return '';
  const { tensors, equal, different, sample, notReadCount } = valuesCompared;
  const what = allWords(tensors, equal, different);
  const part = sample === null ? '' : `, in a sample of ${shortShare(sample.share)} of each`;
  const left = notReadCount === 0 ? '' : `; ${formatCount(notReadCount)} ${notReadCount === 1 ? 'was' : 'were'} not compared`;
  const state = optimizer.values;
  const ofOptimizer =
    state === undefined || state.tensors === 0
      ? ''
      : ` Of the optimizer ${formatCount(state.equal)} of ${counted(state.tensors, 'tensor')} ${state.equal === 1 ? 'is' : 'are'} equal.`;
  return `${tensors === 0 ? 'No tensor of the model was compared' : what}${part}${left}.${ofOptimizer}`;
}

function allWords(tensors: number, equal: number, different: number): string {
  const all = tensors === 1 ? 'The tensor' : `All ${counted(tensors, 'tensor')}`;
  if (different === 0) return `${all} ${tensors === 1 ? 'is' : 'are'} equal`;
  if (equal === 0) return `${all} ${tensors === 1 ? 'differs' : 'differ'}`;
  return `${formatCount(different)} of ${counted(tensors, 'tensor')} ${different === 1 ? 'differs' : 'differ'}, ${formatCount(equal)} ${equal === 1 ? 'is' : 'are'} equal`;
}

const largestFirst = { column: 'relativeL2', descending: true };

const columns: GridColumn<ComparedValues>[] = [
  {
    id: 'name',
    label: 'tensor',
    widthPx: 260,
    value: ({ name }) => name,
    cell: ({ name }) => html`<span class="mono">${middleText(name)}</span>`,
    title: ({ name }) => visibleText(name),
  },
  { id: 'result', label: 'values', widthPx: 120, worth: Infinity, value: ({ result }) => result },
  measure('relativeL2', 'relative L2', Infinity),
  measure('maxAbs', 'max |B − A|', 3),
  measure('meanAbs', 'mean |B − A|', 2),
  measure('cosine', 'cosine', 4),
  {
    id: 'more',
    label: 'more',
    widthPx: 230,
    // What a row is comes before how far it is.
    worth: 5,
    value: ({ more }) => more,
    cell: ({ more }) => html`<bdi>${visibleText(more)}</bdi>`,
    title: ({ more }) => visibleText(more),
  },
];

function measure(id: 'relativeL2' | 'maxAbs' | 'meanAbs' | 'cosine', label: string, worth: number): GridColumn<ComparedValues> {
  return {
    id,
    label,
    widthPx: 104,
    isNumber: true,
    worth,
    value: (row) => row[id],
    // What differs without a number comes before all numbers.
    order: (row) => (row[id] === null && row.result === 'different' && id === 'relativeL2' ? Infinity : row[id]),
    cell: (row) => (row[id] === null ? '–' : id === 'cosine' ? String(Number(row[id].toFixed(6))) : shortNumber(row[id])),
    title: (row) => String(row[id] ?? ''),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-compared-values': ComparedValuesView;
  }
}
