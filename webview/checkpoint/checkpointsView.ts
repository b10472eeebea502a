import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CheckpointReport, RunCheckpoint, RunPointer } from '../../src/core/checkpoints/checkpointReport.js';
import { pointsAt } from '../../src/core/checkpoints/runs/pointsAt.js';
import { checkpointState, timeText } from '../../src/core/pages/checkpoint/checkpointWords.js';
import { layoutLabels } from '../../src/core/text/frameworkLabels.js';
import { formatBytes } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';

/** The checkpoints of a run, the newest first, and what says which one is the newest. A checkpoint opens in a report of its own. */
@customElement('stowage-checkpoints-view')
export class CheckpointsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .pointers {
        margin-bottom: 10px;
      }
      /* The sign has the colour: the theme's red is too pale for text on white. */
      .bad {
        color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
        vertical-align: -3px;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;
  private checkpoints: readonly RunCheckpoint[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.checkpoints = [...(this.report.run?.checkpoints ?? [])].reverse();
  }

  override render(): TemplateResult | typeof nothing {
    const { run } = this.report;
    if (run === undefined) return nothing;
    return html`${
        run.pointers.length === 0
          ? nothing
          : html`<ul class="pointers">
              ${run.pointers.map((pointer) => renderPointer(pointer, run.checkpoints))}
            </ul>`
      }
      <stowage-data-grid
        .name=${'checkpoints'}
        .label=${'Checkpoints of the run'}
        .noun=${'checkpoint'}
        .columns=${this.columns}
        .rows=${this.checkpoints}
        .state=${this.tables['checkpoints'] ?? initialGridState}
        @grid-open=${({ detail: { row } }: CustomEvent<RowAt<RunCheckpoint>>) => row !== undefined && this.open(row)}
      ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private readonly columns: GridColumn<RunCheckpoint>[] = [
    {
      id: 'path',
      label: 'checkpoint',
      widthPx: 200,
      value: ({ path }) => (path === '' ? 'the model here' : path),
      cell: (checkpoint) => this.renderName(checkpoint),
      title: ({ path }) => visibleText(path),
    },
    { id: 'step', label: 'step', widthPx: 84, isNumber: true, worth: Infinity, value: ({ step }) => step },
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
      id: 'resume',
      label: 'resume',
      widthPx: 130,
      worth: Infinity,
      value: checkpointState,
      cell: (checkpoint) => html`${isBad(checkpoint) ? badSign : nothing}${checkpointState(checkpoint)}`,
    },
    {
      id: 'modified',
      label: 'written (UTC)',
      widthPx: 172,
      worth: 1,
      value: ({ modified }) => modified,
      cell: ({ modified }) => html`<span class="num muted">${timeText(modified)}</span>`,
    },
    { id: 'files', label: 'files', widthPx: 70, isNumber: true, value: ({ files }) => files },
    {
      id: 'layout',
      label: 'layout',
      widthPx: 160,
      value: ({ layout }) => layoutLabels[layout],
      constant: ({ layout }) => `all ${layoutLabels[layout]}`,
    },
  ];

  /** What lies in the run's own directory is no directory that could be inspected by itself. */
  private renderName(checkpoint: RunCheckpoint): TemplateResult {
    const { path } = checkpoint;
    if (path === '') return html`the model here`;
    return html`<button
      class="link mono cell-link"
      tabindex="-1"
      title="Open the report of this checkpoint"
      @click=${() => this.open(checkpoint)}
    >
      ${middleText(path)}
    </button>`;
  }

  private open({ path }: RunCheckpoint): void {
    if (path !== '') emitPanelEvent(this, 'panel-checkpoint', { path });
  }
}

const badSign = html`<vscode-icon class="bad" name="error" size="14"></vscode-icon> `;

function isBad({ finished, verdict }: RunCheckpoint): boolean {
  return !finished || verdict === 'broken';
}

/** What points to a save that was interrupted is resumed from next. */
function renderPointer(pointer: RunPointer, checkpoints: readonly RunCheckpoint[]): TemplateResult {
  const { path, target, exists, followed } = pointer;
  const isUnfinished = checkpoints.some((checkpoint) => !checkpoint.finished && pointsAt(target, checkpoint.path));
  const problem = exists ? (isUnfinished ? 'unfinished' : null) : 'missing';
  return html`<li class="wrap">
    <span class="mono">${fileText(path)}</span> points to <span class="mono">${fileText(target)}</span>${
      problem === null ? nothing : html`, ${badSign}which is ${problem}`
    }${followed === false ? ', which was not followed' : nothing}
  </li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-checkpoints-view': CheckpointsView;
  }
}
