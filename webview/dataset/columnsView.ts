import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { kindLines } from '../../src/core/pages/dataset/datasetLines.js';
import type { ColumnRole, DatasetColumn, DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { columnRoleLabels } from '../../src/core/pages/dataset/datasetWords.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fillStyles, type FillId } from '../shared/componentColor.js';
import type { DataGrid } from '../shared/dataGrid.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { twoColumnStyles } from '../shared/twoColumnStyles.js';
import './factsView.js';

const fillOfRole: Record<ColumnRole, FillId> = {
  tokens: 'tokens',
  mask: 'masks',
  labels: 'masks',
  positions: 'masks',
  text: 'text',
  value: 'values',
};

/** The first tab: the columns with what they take, and all bytes by what they are. */
@customElement('stowage-columns-view')
export class ColumnsView extends LitElement {
  static override styles = [
    baseStyles,
    twoColumnStyles,
    fillStyles,
    css`
      .two {
        gap: 22px 32px;
      }
      @container (min-width: 900px) {
        .two {
          grid-template-columns: minmax(0, 1.9fr) minmax(0, 1fr);
        }
      }
      tbody th {
        color: inherit;
        white-space: normal;
        min-width: 9em;
      }
      .number {
        white-space: nowrap;
      }
      tbody tr:hover > * {
        background: var(--stowage-hover);
      }
      tfoot th,
      tfoot td {
        color: inherit;
        font-weight: 600;
      }
      .swatch {
        margin-right: 8px;
      }
    `,
  ];

  @property({ attribute: false }) report!: DatasetReport;
  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;

  override render(): TemplateResult {
    return html`<div class="two">
        <div>${this.renderColumns()}</div>
        ${this.renderKinds()}
      </div>
      ${this.report.facts.length === 1 ? html`<stowage-facts-view .report=${this.report}></stowage-facts-view>` : nothing}`;
  }

  private renderColumns(): TemplateResult {
    const { columns } = this.report;
    if (columns.length === 0) return html`<p class="muted">This format has no columns, or its headers declare none.</p>`;
    return html`<stowage-data-grid
      .name=${'columns'}
      .label=${'Columns'}
      .noun=${'column'}
      .columns=${this.columns}
      .rows=${columns}
      .state=${this.tables['columns'] ?? initialGridState}
    ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private readonly columns: GridColumn<DatasetColumn>[] = [
    {
      id: 'name',
      label: 'column',
      widthPx: 160,
      value: ({ name }) => name,
      cell: ({ name }) => html`<span class="mono">${middleText(name)}</span>`,
      title: ({ name }) => visibleText(name),
    },
    {
      id: 'type',
      label: 'type',
      widthPx: 184,
      worth: 1,
      value: ({ type }) => type,
      cell: ({ type }) => html`<span class="mono">${middleText(type)}</span>`,
      title: ({ type }) => visibleText(type),
    },
    {
      id: 'bytes',
      label: 'on disk',
      widthPx: 86,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => (bytes === null ? notInHeaders : formatBytes(bytes)),
      title: ({ bytes }) => (bytes === null ? '' : exactBytes(bytes)),
    },
    {
      id: 'share',
      label: 'share',
      widthPx: 74,
      isNumber: true,
      value: ({ bytes }) => this.shareOf(bytes),
      cell: ({ bytes }) => {
        const share = this.shareOf(bytes);
        return share === null ? notInHeaders : formatShare(share);
      },
    },
    {
      id: 'logicalBytes',
      label: 'uncompressed',
      widthPx: 90,
      isNumber: true,
      value: ({ logicalBytes }) => logicalBytes,
      cell: ({ logicalBytes }) => (logicalBytes === null ? notInHeaders : formatBytes(logicalBytes)),
      title: ({ logicalBytes }) => (logicalBytes === null ? '' : exactBytes(logicalBytes)),
    },
    {
      id: 'role',
      label: 'role',
      widthPx: 100,
      value: ({ role }) => columnRoleLabels[role],
      cell: ({ role }) => html`<span class="swatch fill ${fillOfRole[role]}"></span>${columnRoleLabels[role]}`,
      constant: ({ role }) => `all ${columnRoleLabels[role]}`,
    },
    {
      id: 'values',
      label: 'values',
      widthPx: 110,
      isNumber: true,
      value: ({ values }) => values,
      cell: ({ values }) => (values === null ? notInHeaders : formatCount(values)),
    },
  ];

  private shareOf(bytes: number | null): number | null {
    const { totalBytes } = this.report;
    return bytes === null || totalBytes === 0 ? null : bytes / totalBytes;
  }

  private renderKinds(): TemplateResult {
    const { report } = this;
    return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Bytes by what they are">
      <table>
        <caption class="visually-hidden">
          Bytes by what they are
        </caption>
        <thead>
          <tr>
            <th scope="col">bytes on disk</th>
            <th scope="col" class="end">bytes</th>
            <th scope="col" class="end">share</th>
          </tr>
        </thead>
        <tbody>
          ${kindLines(report).map(
            ({ kind, label, bytes, share }) =>
              html`<tr>
                <th scope="row"><span class="swatch fill ${kind}"></span>${label}</th>
                <td class="end num number" title=${exactBytes(bytes)}>${formatCount(bytes)}</td>
                <td class="end num number">${formatShare(share)}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" title=${visibleText(report.path)}>all files</th>
            <td class="end num number" title=${exactBytes(report.totalBytes)}>${formatCount(report.totalBytes)}</td>
            <td class="end num number">${report.totalBytes === 0 ? '' : '100.0 %'}</td>
          </tr>
        </tfoot>
      </table>
    </div>`;
  }
}

const notInHeaders = html`<span class="muted" title="Not in the headers">–</span>`;

declare global {
  interface HTMLElementTagNameMap {
    'stowage-columns-view': ColumnsView;
  }
}
