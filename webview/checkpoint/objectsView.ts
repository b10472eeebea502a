import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { CheckpointReport, StateFact } from '../../src/core/checkpoints/checkpointReport.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import './objectTree.js';
import { emitPanelEvent } from '../panel/panelEvents.js';

/** What the files say besides tensors: the settings and positions that were recognised, then every object as a tree of values. */
@customElement('stowage-objects-view')
export class ObjectsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      h2 {
        margin: 4px 0 4px;
      }
      .facts {
        margin-bottom: 20px;
      }
      .hint {
        margin-bottom: 8px;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @property({ attribute: false }) expanded: string[] = [];
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;

  override render(): TemplateResult {
    const { facts, objects } = this.report;
    if (facts.length === 0 && objects.length === 0) {
      return html`<p class="muted">No pickled or JSON objects were found in what could be read.</p>`;
    }
    return html`${facts.length === 0 ? nothing : this.renderFacts()}
    ${
      objects.length === 0
        ? nothing
        : html`<h2>Objects</h2>
            <p class="hint muted">
              Values as they were written, read without running anything. Arrow keys move and expand, Ctrl+C copies a value.
            </p>
            <stowage-object-tree .objects=${objects} .expanded=${this.expanded}></stowage-object-tree>`
    }`;
  }

  private renderFacts(): TemplateResult {
    return html`<h2>Settings and positions</h2>
      <stowage-data-grid
        class="facts"
        .name=${'settings'}
        .label=${'Settings and positions'}
        .noun=${'value'}
        .columns=${this.columns}
        .rows=${this.report.facts}
        .state=${this.tables['settings'] ?? initialGridState}
        @grid-open=${({ detail: { row } }: CustomEvent<RowAt<StateFact>>) => row !== undefined && this.open(row)}
      ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private readonly columns: GridColumn<StateFact>[] = [
    {
      id: 'label',
      label: 'what',
      widthPx: 180,
      value: ({ label }) => label,
      cell: ({ label }) => middleText(label),
      title: ({ label }) => visibleText(label),
    },
    {
      id: 'value',
      label: 'value',
      widthPx: 200,
      worth: Infinity,
      value: ({ value }) => value,
      cell: ({ value }) => html`<strong class="num"><bdi>${visibleText(value)}</bdi></strong>`,
      title: ({ value }) => visibleText(value),
    },
    {
      id: 'source',
      label: 'source',
      widthPx: 190,
      value: ({ path }) => path,
      cell: (fact) =>
        html`<button class="link mono cell-link" tabindex="-1" title="Open the file" @click=${() => this.open(fact)}>
          ${middleText(fact.path)}
        </button>`,
      constant: ({ path }) => html`all of <span class="mono"><bdi>${visibleText(path)}</bdi></span>`,
    },
    {
      id: 'key',
      label: 'key',
      widthPx: 150,
      value: ({ keyPath }) => keyPath,
      cell: ({ keyPath }) => html`<span class="mono muted">${middleText(keyPath)}</span>`,
      title: ({ keyPath }) => visibleText(keyPath),
    },
  ];

  private open({ path }: StateFact): void {
    emitPanelEvent(this, 'panel-file', { path, offsetBytes: null });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-objects-view': ObjectsView;
  }
}
