import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { timeText } from '../../src/core/pages/checkpoint/checkpointWords.js';
import { saveState } from '../../src/core/pages/runs/checkpointTable.js';
import { saveSeconds } from '../../src/core/runs/gaps.js';
import type { SavedCheckpoint } from '../../src/core/runs/savedCheckpoint.js';
import { shortRate, shortTime } from '../../src/core/text/quantities.js';
import { formatBytes } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import type { RowAt } from '../shared/rowSource.js';

/** The saves of a run, the newest first. Each opens in a report of its own. */
@customElement('stowage-saves-table')
export class SavesTable extends LitElement {
  static override styles = [baseStyles];

  /** Path of the run: a checkpoint of that path is the model in its own directory. */
  @property({ attribute: false }) run = '';
  /** The newest first. */
  @property({ attribute: false }) saves: readonly SavedCheckpoint[] = [];
  @property({ attribute: false }) tables: GridStates = {};

  override render(): TemplateResult {
    return html`<stowage-data-grid
      .name=${'saves'}
      .label=${'Saves of the run'}
      .noun=${'save'}
      .columns=${this.columns}
      .rows=${this.saves}
      .state=${this.tables['saves'] ?? initialGridState}
      @grid-open=${({ detail: { row } }: CustomEvent<RowAt<SavedCheckpoint>>) => row !== undefined && this.open(row)}
    ></stowage-data-grid>`;
  }

  private readonly columns: GridColumn<SavedCheckpoint>[] = [
    {
      id: 'path',
      label: 'checkpoint',
      widthPx: 180,
      value: ({ path }) => (path === this.run ? 'the model here' : path),
      cell: (save) => this.renderName(save),
      title: ({ path }) => visibleText(path),
    },
    { id: 'step', label: 'step', widthPx: 84, isNumber: true, worth: 3, value: ({ step }) => step },
    {
      id: 'bytes',
      label: 'size',
      widthPx: 88,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => formatBytes(bytes),
      title: ({ bytes }) => exactBytes(bytes),
    },
    {
      id: 'finished',
      label: 'ended (UTC)',
      widthPx: 164,
      worth: 1,
      value: ({ finishedMs }) => (finishedMs === null ? null : new Date(finishedMs).toISOString()),
      cell: ({ finishedMs }) =>
        html`<span class="num muted">${timeText(finishedMs === null ? null : new Date(finishedMs).toISOString())}</span>`,
    },
    {
      id: 'seconds',
      label: 'took',
      widthPx: 84,
      isNumber: true,
      worth: Infinity,
      value: saveSeconds,
      cell: (save) => orNothing(saveSeconds(save), shortTime),
    },
    {
      id: 'rate',
      label: 'rate',
      widthPx: 96,
      isNumber: true,
      worth: 2,
      value: rateOf,
      cell: (save) => orNothing(rateOf(save), shortRate),
    },
    {
      id: 'state',
      label: 'state',
      widthPx: 150,
      worth: 4,
      value: saveState,
      cell: (save) => html`${saveState(save) === '' ? nothing : warningSign}${saveState(save)}`,
    },
  ];

  /** What lies in the run's own directory is no directory that could be inspected by itself. */
  private renderName(save: SavedCheckpoint): TemplateResult {
    if (save.path === this.run) return html`the model here`;
    return html`<button
      class="link mono cell-link"
      tabindex="-1"
      title="Open the report of this checkpoint"
      @click=${() => this.open(save)}
    >
      ${middleText(save.path)}
    </button>`;
  }

  private open({ path }: SavedCheckpoint): void {
    if (path !== this.run) emitPanelEvent(this, 'panel-checkpoint', { path });
  }
}

const warningSign = html`<vscode-icon name="warning" size="14"></vscode-icon> `;

function rateOf(save: SavedCheckpoint): number | null {
  const seconds = saveSeconds(save);
  return seconds === null ? null : save.writtenBytes / seconds;
}

function orNothing(value: number | null, words: (value: number) => string): unknown {
  return value === null ? nothing : words(value);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-saves-table': SavesTable;
  }
}
