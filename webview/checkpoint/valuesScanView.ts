import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { ScannedTensor, ScannedValues } from '../../src/core/pages/values/scannedValues.js';
import { digitsOfType, valueText } from '../../src/core/pages/values/valueText.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ValuesProgress } from '../../src/core/values/valuesReport.js';
import type { ValuesState } from '../../src/protocol/messages.js';
import type { LoggedCheck } from '../../src/core/findings/loggedCheck.js';
import { loggedChecksStyles, renderLogged } from '../panel/loggedChecks.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { progressTrackStyles, renderTrack } from '../panel/progressTrack.js';
import { verdictIcon } from '../panel/severityIcons.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import { middleText } from '../shared/middleText.js';
import type { RowAt } from '../shared/rowSource.js';
import { severityStyles } from '../shared/severityStyles.js';

/** Values of all tensors: asked for, under way, or what came of it, NaN and infinities first. */
@customElement('stowage-values-scan')
export class ValuesScanView extends LitElement {
  static override styles = [
    baseStyles,
    severityStyles,
    gridViewStyles,
    progressTrackStyles,
    loggedChecksStyles,
    css`
      :host {
        margin-top: 20px;
      }
      .ask {
        margin: 8px 0 12px;
        max-width: 72ch;
      }
      .verdict {
        display: flex;
        gap: 8px;
        align-items: baseline;
        margin: 12px 0 4px;
        font-weight: 600;
      }
      ul {
        margin: 4px 0 8px;
      }
      .findings li {
        display: flex;
        gap: 8px;
        align-items: baseline;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) state!: ValuesState;
  @property({ attribute: false }) logged: readonly LoggedCheck[] = [];
  @property({ attribute: false }) tables: GridStates = {};

  override render(): TemplateResult {
    return html`<h2>Values</h2>
      ${this.renderState()}`;
  }

  private renderState(): TemplateResult {
    const { state } = this;
    switch (state.kind) {
      case 'none':
        return html`${renderLogged(this.logged, 'values')}
          <p class="ask">
            A scan reads all bytes of the tensors and counts what is NaN, infinite and zero of each, with the least, the greatest
            and the mean value. Nothing is executed.
          </p>
          <div class="buttons">${this.renderScan('Scan values')}</div>`;
      case 'running':
        return renderTrack({
          label: 'Scan of values',
          ...progressOf(state.progress),
          onCancel: () => emitPanelEvent(this, 'panel-values-cancel', null),
        });
      case 'failed':
        return html`<p class="verdict">${verdictIcon('error', 16)}<span>Not scanned: ${visibleText(state.message)}</span></p>
          <div class="buttons">${this.renderScan('Scan values again')}</div>`;
      case 'done':
        return this.renderScanned(state.report);
    }
  }

  private renderScan(label: string): TemplateResult {
    return html`<vscode-button @click=${() => emitPanelEvent(this, 'panel-values-scan', null)}>${label}</vscode-button>`;
  }

  private renderScanned({
    decision,
    severity,
    findings,
    moreFindings,
    notRead,
    logged,
    tensors,
    total,
  }: ScannedValues): TemplateResult {
    const rest = moreFindings === 0 ? nothing : html`<li>${counted(moreFindings, 'more finding')}</li>`;
    return html`<p class="verdict" role="status">${verdictIcon(severity, 16)}<span>${decision}</span></p>
      <ul class="findings">
        ${findings.map((finding) => this.renderFinding(finding))}${rest}
      </ul>
      <ul class="muted">
        ${[...notRead, ...logged].map((reason) => html`<li class="wrap">${reason}</li>`)}
      </ul>
      <div class="buttons">
        ${this.renderScan('Scan values again')}
        <vscode-button secondary @click=${() => emitPanelEvent(this, 'panel-copy-values', null)}>Copy as Markdown</vscode-button>
      </div>
      ${
        tensors.length === 0
          ? nothing
          : html`<stowage-data-grid
              .name=${'values'}
              .label=${'Values of tensors'}
              .noun=${'tensor'}
              .columns=${columns}
              .rows=${tensors}
              .total=${total > tensors.length ? total : null}
              .state=${this.tables['values'] ?? initialGridState}
              @grid-open=${(event: CustomEvent<RowAt<ScannedTensor>>) => this.open(event.detail.row)}
            ></stowage-data-grid>`
      }`;
  }

  private renderFinding({ severity, message, path, offset }: ScannedValues['findings'][number]): TemplateResult {
    const place =
      path === null
        ? nothing
        : html` <button class="link mono" @click=${() => emitPanelEvent(this, 'panel-file', { path, offsetBytes: offset })}>
            ${fileText(path)}${offset === null ? '' : `:${offset}`}
          </button>`;
    return html`<li>${verdictIcon(severity, 14)}<span>${visibleText(message)}${place}</span></li>`;
  }

  private open(row: ScannedTensor | undefined): void {
    if (row?.path == null) return;
    emitPanelEvent(this, 'panel-file', { path: row.path, offsetBytes: row.offsetBytes });
  }
}

function progressOf(progress: ValuesProgress | null): { share: number | null; text: string } {
  if (progress === null) return { share: null, text: 'Beginning to read' };
  const { bytesRead, totalBytes } = progress;
  return {
    share: totalBytes === 0 ? 0 : bytesRead / totalBytes,
    text: `${formatBytes(bytesRead)} of ${formatBytes(totalBytes)}`,
  };
}

type NumberKey = 'min' | 'max' | 'mean' | 'std';

const number = (id: NumberKey, worth: number): GridColumn<ScannedTensor> => ({
  id,
  label: id,
  widthPx: 92,
  isNumber: true,
  worth,
  value: (row) => (row[id] === null ? null : Number(row[id])),
  cell: (row) => (row[id] === null ? '–' : valueText(row[id], id === 'min' || id === 'max' ? digitsOfType(row.dtype, 4) : 4)),
  title: (row) => String(row[id] ?? 'no finite value'),
});

const count = (id: 'nan' | 'inf', label: string): GridColumn<ScannedTensor> => ({
  id,
  label,
  widthPx: 84,
  isNumber: true,
  worth: Infinity,
  value: (row) => row[id],
  cell: (row) => (row[id] === 0 ? '' : html`${verdictIcon('error', 14)} ${formatCount(row[id])}`),
  title: (row) => counted(row[id], 'value'),
});

const columns: GridColumn<ScannedTensor>[] = [
  {
    id: 'name',
    label: 'tensor',
    widthPx: 220,
    value: ({ name }) => name,
    cell: ({ name }) => html`<span class="mono">${middleText(name)}</span>`,
    title: ({ name }) => visibleText(name),
  },
  {
    id: 'dtype',
    label: 'dtype',
    widthPx: 76,
    worth: 3,
    value: ({ dtype }) => dtype,
    cell: ({ dtype }) => fileText(dtype),
    title: ({ dtype }) => `${visibleText(dtype)}${dtype.endsWith('*') ? ': stored codes, before any scale' : ''}`,
  },
  { id: 'shape', label: 'shape', widthPx: 116, isNumber: true, worth: 1, value: ({ shape }) => shape },
  count('nan', 'NaN'),
  count('inf', 'Inf'),
  {
    id: 'zeros',
    label: 'zeros',
    widthPx: 76,
    isNumber: true,
    worth: 4,
    value: ({ zeroShare }) => zeroShare,
    cell: ({ zeroShare }) => (zeroShare === null || zeroShare === 0 ? '' : formatShare(zeroShare)),
  },
  number('min', 6),
  number('max', 6),
  number('mean', 2),
  number('std', 5),
  { id: 'histogram', label: 'histogram', widthPx: 150, worth: 2, value: ({ histogram }) => histogram },
];

declare global {
  interface HTMLElementTagNameMap {
    'stowage-values-scan': ValuesScanView;
  }
}
