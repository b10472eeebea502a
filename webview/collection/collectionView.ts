import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CollectionReport } from '../../src/core/inspection/collection/collectionReport.js';
import { usageHeads, usageRowsOf } from '../../src/core/pages/collection/cachePage.js';
import {
  collectionHeadlineOf,
  collectionSubtitle,
  partRowsOf,
  uncheckedLines,
  type PartRow,
} from '../../src/core/pages/collection/collectionPage.js';
import { collectionVerdict } from '../../src/core/pages/reportVerdict.js';
import type { CacheReport } from '../../src/core/inspection/hubCache/cacheReport.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import { exportMenu } from '../panel/exportMenu.js';
import '../panel/findingsView.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import '../panel/reportFooter.js';
import '../panel/reportHeader.js';
import { reportViewStyles } from '../panel/reportViewStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import '../shared/moreLine.js';
import { listStep } from '../shared/moreLine.js';

/** Several things under one directory: a row for each, which opens its own report. */
@customElement('stowage-collection-view')
export class CollectionView extends LitElement {
  static override styles = [
    baseStyles,
    reportViewStyles,
    css`
      section {
        margin: 18px 0;
      }
      .num {
        white-space: nowrap;
      }
      th[scope='row'] {
        min-width: 12em;
        white-space: normal;
      }
      .bad {
        color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
        vertical-align: -3px;
      }
    `,
  ];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) report!: CollectionReport;
  /** While the same path is inspected again: how far it is, or true until that is known. */
  @property({ attribute: false }) refreshing: InspectionProgress | boolean = false;

  @state() private shown = listStep;
  @query('button.link') private firstPart!: HTMLElement | null;

  override render(): TemplateResult {
    const { report } = this;
    const { size, binarySize, what, more } = collectionHeadlineOf(report);
    return html`<stowage-report-header
        .name=${this.name}
        .path=${report.path}
        .subtitle=${collectionSubtitle(report)}
        .exports=${exportMenu(report, {})}
        .refreshing=${this.refreshing}
        .isPlanned=${false}
      ></stowage-report-header>
      <stowage-headline
        .verdict=${collectionVerdict(report)}
        .totalBytes=${report.totalBytes}
        .size=${size}
        .binarySize=${binarySize}
        .answer=${what}
        .more=${more}
      ></stowage-headline>
      ${report.parts.length === 0 ? nothing : html`<section aria-label="Parts">${this.renderParts(partRowsOf(report))}</section>`}
      ${report.cache === undefined ? nothing : this.renderUsage(report.cache)}
      ${
        report.findings.length === 0
          ? uncheckedLines(report).map((line) => html`<p class="muted">${line}</p>`)
          : html`<stowage-findings-view .report=${report}></stowage-findings-view>`
      }
      <stowage-report-footer .report=${report}></stowage-report-footer>`;
  }

  /** To the first part: where a reader who came by keyboard goes on. */
  async focusTab(): Promise<void> {
    await this.updateComplete;
    this.firstPart?.focus();
  }

  private renderParts(rows: readonly PartRow[]): TemplateResult {
    const has = (key: keyof PartRow): boolean => rows.some((row) => row[key] !== '');
    const columns = optional.filter(({ key }) => has(key));
    return html`<div class="scroll-x">
        <table>
          <caption class="visually-hidden">
            What lies here
          </caption>
          <thead>
            <tr>
              <th scope="col">part</th>
              <th scope="col">what</th>
              <th scope="col" class="end">size</th>
              ${columns.map(({ head, isNumber }) => html`<th scope="col" class=${isNumber ? 'end' : ''}>${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.slice(0, this.shown).map((row) => this.renderPart(row, columns))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${rows.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }

  /** What the bytes of a cache are. */
  private renderUsage(cache: CacheReport): TemplateResult {
    const [what, size, files] = usageHeads;
    return html`<section aria-label="Bytes of the cache" class="scroll-x">
      <table>
        <thead>
          <tr>
            <th scope="col">${what}</th>
            <th scope="col" class="end">${size}</th>
            <th scope="col" class="end">${files}</th>
          </tr>
        </thead>
        <tbody>
          ${usageRowsOf(cache).map(
            (row) =>
              html`<tr>
                <th scope="row">${row.label}</th>
                <td class="end num" title=${exactBytes(row.bytes)}>${row.size}</td>
                <td class="end num">${row.files}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  private renderPart(row: PartRow, columns: readonly (typeof optional)[number][]): TemplateResult {
    return html`<tr>
      <th scope="row">${this.renderName(row)}</th>
      <td>${row.what}</td>
      <td class="end num" title=${exactBytes(row.bytes)}>${row.size}</td>
      ${columns.map(
        ({ key, isNumber }) =>
          html`<td class=${isNumber ? 'end num' : ''}>
            ${row[key] !== '' && isBad(key, row) ? html`<vscode-icon class="bad" name="error" size="14"></vscode-icon> ` : nothing}${
              row[key]
            }
          </td>`,
      )}
    </tr>`;
  }

  private renderName({ path, label, part, opens }: PartRow): TemplateResult {
    return html`<button
      class="link mono wrap"
      title=${label === undefined ? 'Open its report' : `Open the report of ${path}`}
      @click=${() => emitPanelEvent(this, 'panel-checkpoint', opens === undefined ? { path } : { path, part: opens })}
    >
      ${label ?? (path === '' ? 'the files here' : fileText(path))}${label !== undefined || part === undefined ? nothing : ` (${part})`}
    </button>`;
  }
}

/** Columns that are shown where any part has something in them. */
const optional = [
  { key: 'own', head: 'only here', isNumber: true },
  { key: 'holds', head: 'holds', isNumber: true },
  { key: 'step', head: 'step', isNumber: true },
  { key: 'state', head: 'resume', isNumber: false },
  { key: 'findings', head: 'findings', isNumber: false },
  { key: 'owner', head: 'owner', isNumber: false },
  { key: 'written', head: 'written (UTC)', isNumber: false },
] as const satisfies { key: keyof PartRow; head: string; isNumber: boolean }[];

function isBad(key: keyof PartRow, { state: verdict, findings }: PartRow): boolean {
  return (key === 'state' && verdict === 'fails') || (key === 'findings' && findings.includes('error'));
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-collection-view': CollectionView;
  }
}
