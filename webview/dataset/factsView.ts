import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { DatasetFact, DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';

/** Settings that the files state, each with the file that says so. */
@customElement('stowage-facts-view')
export class FactsView extends LitElement {
  static override styles = [baseStyles];

  @property({ attribute: false }) report!: DatasetReport;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;

  override render(): TemplateResult {
    return html`<stowage-data-grid
      .name=${'facts'}
      .label=${'Facts'}
      .noun=${'fact'}
      .columns=${this.columns}
      .rows=${this.report.facts}
      .state=${this.tables['facts'] ?? initialGridState}
      @grid-open=${({ detail: { row } }: CustomEvent<RowAt<DatasetFact>>) => row !== undefined && this.open(row)}
    ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private readonly columns: GridColumn<DatasetFact>[] = [
    {
      id: 'label',
      label: 'what',
      widthPx: 220,
      value: ({ label }) => label,
      cell: ({ label }) => middleText(label),
      title: ({ label }) => visibleText(label),
    },
    {
      id: 'value',
      label: 'value',
      widthPx: 260,
      worth: Infinity,
      value: ({ value }) => value,
      title: ({ value }) => visibleText(value),
    },
    {
      id: 'source',
      label: 'source',
      widthPx: 240,
      value: ({ path }) => path,
      cell: (fact) => this.renderSource(fact),
      title: ({ path }) => visibleText(path),
    },
  ];

  private renderSource(fact: DatasetFact): TemplateResult {
    const { path, files = 1 } = fact;
    return html`<button class="link mono cell-link" tabindex="-1" title="Open the file" @click=${() => this.open(fact)}>
        ${middleText(path)}</button
      >${files === 1 ? nothing : html` <span class="muted">and ${counted(files - 1, 'more file')}</span>`}`;
  }

  private open({ path }: DatasetFact): void {
    emitPanelEvent(this, 'panel-file', { path, offsetBytes: null });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-facts-view': FactsView;
  }
}
