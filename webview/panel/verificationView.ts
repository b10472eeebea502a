import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import {
  isFailure,
  type FileStatus,
  type VerificationReport,
  type VerifiedFile,
} from '../../src/core/verification/verification.js';
import type { VerifyProgress } from '../../src/core/verification/verifyTree.js';
import { coverageText, placesOf, sumsText, verificationPage } from '../../src/core/pages/verification/verificationPage.js';
import type { VerificationState } from '../../src/protocol/messages.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import '../shared/dataGrid.js';
import type { DataGrid } from '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import type { RowAt } from '../shared/rowSource.js';
import { severityStyles } from '../shared/severityStyles.js';
import type { LoggedCheck } from '../../src/core/findings/loggedCheck.js';
import { loggedChecksStyles, renderLogged } from './loggedChecks.js';
import { emitPanelEvent } from './panelEvents.js';
import { progressTrackStyles, renderTrack } from './progressTrack.js';
import { verdictIcon } from './severityIcons.js';

/** Whether bytes are those that checksums say: asked for, under way, or what came of it. */
@customElement('stowage-verification-view')
export class VerificationView extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    severityStyles,
    gridViewStyles,
    progressTrackStyles,
    loggedChecksStyles,
    css`
      .ask,
      .said {
        margin: 12px 0;
        max-width: 72ch;
      }
      .verdict {
        display: flex;
        gap: 8px;
        align-items: baseline;
        margin: 12px 0 4px;
        font-weight: 600;
      }
      .reasons {
        margin: 0 0 12px;
        padding: 0;
        list-style: none;
      }
      .failed {
        margin: 4px 0 8px;
        padding-left: 20px;
      }
    `,
  ];

  @property({ attribute: false }) state!: VerificationState;
  /** Of all files. */
  @property({ attribute: false }) totalBytes = 0;
  @property({ attribute: false }) logged: readonly LoggedCheck[] = [];
  @property({ attribute: false }) tables: GridStates = {};

  override render(): TemplateResult {
    const { state } = this;
    switch (state.kind) {
      case 'none':
        return this.renderAsk();
      case 'running':
        return renderTrack({
          label: 'Verification',
          share: shareOf(state.progress),
          text: state.progress === null ? 'Looking for checksums' : progressText(state.progress),
          onCancel: () => emitPanelEvent(this, 'panel-verify-cancel', null),
        });
      case 'failed':
        return html`<p class="verdict">${verdictIcon('error', 16)}<span>Not verified: ${visibleText(state.message)}</span></p>
          <div class="buttons">${renderButtons('Verify again', true)}</div>`;
      case 'done':
        return this.renderReport(state.report);
    }
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.renderRoot.querySelector<DataGrid<VerifiedFile>>('stowage-data-grid')?.focusSearch() ?? false;
  }

  private renderAsk(): TemplateResult {
    return html`${renderLogged(this.logged, 'verify')}
      <p class="ask">
        The report is by headers. Verify reads all ${formatBytes(this.totalBytes)} and compares them with every checksum that
        covers them: those of archives and records, lists such as <span class="mono">SHA256SUMS</span>, names in the cache of the
        Hub, and a manifest.
      </p>
      <div class="buttons">${renderButtons('Verify', true)}</div>
      <p class="ask muted">
        A manifest has the SHA-256 of each file and the CRC-32C of each block of it, so that damage is found later where formats
        have no checksums of their own. It is written beside the directory, into <span class="mono">.stowage</span>.
      </p>`;
  }

  private renderReport(report: VerificationReport): TemplateResult {
    const { decision, reasons } = verificationPage(report);
    const severity = report.failed > 0 ? 'error' : isCovered(report) ? 'fine' : 'note';
    return html`<p class="verdict" role="status">${verdictIcon(severity, 16)}<span>${decision}</span></p>
      ${renderFailed(report.files)}
      <ul class="reasons muted">
        ${reasons.map((reason) => html`<li>${reason}</li>`)}
      </ul>
      <div class="buttons">
        ${renderButtons('Verify again', !report.created)}
        <vscode-button secondary @click=${() => emitPanelEvent(this, 'panel-copy-verification', null)}
          >Copy as Markdown</vscode-button
        >
      </div>
      ${
        report.files.length === 0
          ? nothing
          : html`<stowage-data-grid
              .name=${'verified'}
              .label=${'Verified files'}
              .noun=${'file'}
              .columns=${columns}
              .rows=${report.files}
              .bytesOf=${({ bytes }: VerifiedFile) => bytes}
              .state=${this.tables['verified'] ?? initialGridState}
              .sort=${worstFirst}
              @grid-open=${({ detail: { row } }: CustomEvent<RowAt<VerifiedFile>>) => row !== undefined && row.status !== 'missing' && emitPanelEvent(this, 'panel-file', { path: row.path, offsetBytes: row.damage[0]?.offset ?? null })}
            ></stowage-data-grid>`
      }`;
  }
}

/** Whether no byte is without a checksum that matches. */
function isCovered({ files }: VerificationReport): boolean {
  return files.every(({ coverage: { bytes, of } }) => bytes === of);
}

function renderButtons(label: string, isWritten: boolean): TemplateResult {
  const verify = (event: Event, create: boolean) =>
    emitPanelEvent(event.currentTarget as HTMLElement, 'panel-verify', { create });
  return html`<vscode-button @click=${(event: Event) => verify(event, false)}>${label}</vscode-button> ${
      isWritten
        ? html`<vscode-button secondary @click=${(event: Event) => verify(event, true)}>Write a manifest</vscode-button>`
        : nothing
    }`;
}

/** Files whose damage stands above the table, which has all. */
const mostFailed = 8;

function renderFailed(files: readonly VerifiedFile[]): TemplateResult | typeof nothing {
  const failed = files.filter(({ status }) => isFailure(status));
  if (failed.length === 0) return nothing;
  const rest = failed.length - mostFailed;
  return html`<ul class="failed">
    ${failed.slice(0, mostFailed).map((file) => html`<li class="wrap"><span class="mono">${fileText(file.path)}</span> ${file.status}: ${whatOf(file)}</li>`)}
    ${rest > 0 ? html`<li>${counted(rest, 'more file')} in the table</li>` : nothing}
  </ul>`;
}

function shareOf(progress: VerifyProgress | null): number | null {
  if (progress === null) return null;
  return progress.totalBytes === 0 ? 0 : progress.doneBytes / progress.totalBytes;
}

function progressText({ doneBytes, totalBytes, doneFiles, totalFiles }: VerifyProgress): string {
  return `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)} · ${formatCount(doneFiles)} of ${counted(totalFiles, 'file')}`;
}

const worst: Record<FileStatus, number> = { changed: 0, missing: 1, unreadable: 2, extra: 3, unverifiable: 4, same: 5 };
const worstFirst = { column: 'status', descending: false };

const columns: GridColumn<VerifiedFile>[] = [
  {
    id: 'path',
    label: 'file',
    widthPx: 220,
    value: ({ path }) => path,
    cell: ({ path }) => html`<span class="mono">${middleText(path)}</span>`,
    title: ({ path }) => visibleText(path),
  },
  {
    id: 'bytes',
    label: 'size',
    widthPx: 84,
    isNumber: true,
    worth: 1,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => formatBytes(bytes),
    title: ({ bytes }) => exactBytes(bytes),
  },
  {
    id: 'status',
    label: 'result',
    widthPx: 116,
    worth: Infinity,
    value: ({ status }) => status,
    order: ({ status }) => worst[status],
    cell: ({ status }) => (isFailure(status) ? html`${verdictIcon('error', 14)} ${status}` : status),
    title: ({ status }) => status,
  },
  {
    id: 'coverage',
    label: 'covered',
    widthPx: 84,
    isNumber: true,
    worth: Infinity,
    value: ({ coverage: { bytes, of } }) => (of === 0 ? null : bytes / of),
    cell: coverageText,
    title: ({ coverage: { bytes, of } }) => `${formatCount(bytes)} of ${counted(of, 'byte')}`,
  },
  { id: 'by', label: 'by', widthPx: 150, worth: 3, value: sumsText, title: sumsText },
  { id: 'what', label: 'what', widthPx: 240, worth: 2, value: whatOf, title: whatOf },
];

function whatOf(file: VerifiedFile): string {
  return [...placesOf(file), ...(file.reason === null ? [] : [visibleText(file.reason)])].join('; ');
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-verification-view': VerificationView;
  }
}
