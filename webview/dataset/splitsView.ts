import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { DatasetReport, DatasetSplit } from '../../src/core/datasets/datasetReport.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';

/** The parts of the dataset: train, validation, and what else it calls them. */
@customElement('stowage-splits-view')
export class SplitsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      stowage-data-grid {
        max-width: 900px;
      }
    `,
  ];

  @property({ attribute: false }) report!: DatasetReport;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;

  override render(): TemplateResult {
    return html`<stowage-data-grid
      .name=${'splits'}
      .label=${'Splits'}
      .noun=${'split'}
      .columns=${this.columns}
      .rows=${this.report.splits}
      .state=${this.tables['splits'] ?? initialGridState}
    ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private readonly columns: GridColumn<DatasetSplit>[] = [
    {
      id: 'name',
      label: 'split',
      widthPx: 160,
      value: ({ name }) => name,
      cell: ({ name }) => middleText(name),
      title: ({ name }) => visibleText(name),
    },
    { id: 'shards', label: 'shards', widthPx: 80, isNumber: true, value: ({ shards }) => shards },
    {
      id: 'bytes',
      label: 'bytes',
      widthPx: 90,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => formatBytes(bytes),
      title: ({ bytes }) => exactBytes(bytes),
    },
    {
      id: 'share',
      label: 'share',
      widthPx: 74,
      isNumber: true,
      value: ({ bytes }) => (this.report.totalBytes === 0 ? null : bytes / this.report.totalBytes),
      cell: ({ bytes }) => (this.report.totalBytes === 0 ? '–' : formatShare(bytes / this.report.totalBytes)),
    },
    {
      id: 'samples',
      label: 'samples',
      widthPx: 110,
      isNumber: true,
      value: ({ samples }) => samples,
      cell: ({ samples }) => (samples === null ? '–' : formatCount(samples)),
    },
    {
      id: 'tokens',
      label: 'tokens',
      widthPx: 140,
      isNumber: true,
      value: ({ tokens }) => tokens,
      cell: ({ tokens }) => (tokens === null ? '–' : formatCount(tokens)),
    },
  ];
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-splits-view': SplitsView;
  }
}
