import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { kindLines } from '../../src/core/pages/dataset/datasetLines.js';
import type { ColumnRole, DatasetColumn, DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { columnRoleLabels } from '../../src/core/pages/dataset/datasetWords.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fillStyles, type FillId } from '../shared/componentColor.js';
import { clampedText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
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
      .type {
        min-width: 16em;
        max-width: 24em;
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
  @state() private shown = listStep;

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
    return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Columns">
        <table>
          <caption class="visually-hidden">
            Columns
          </caption>
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">type</th>
              <th scope="col">role</th>
              <th scope="col" class="end">values</th>
              <th scope="col" class="end">on disk</th>
              <th scope="col" class="end">uncompressed</th>
              <th scope="col" class="end">share</th>
            </tr>
          </thead>
          <tbody>
            ${columns.slice(0, this.shown).map((column) => this.renderColumn(column))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${columns.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }

  private renderColumn({ name, type, role, values, bytes, logicalBytes }: DatasetColumn): TemplateResult {
    const { totalBytes } = this.report;
    return html`<tr>
      <th scope="row" class="mono wrap">${clampedText(name)}</th>
      <td class="type mono wrap">${clampedText(type)}</td>
      <td class="number"><span class="swatch fill ${fillOfRole[role]}"></span>${columnRoleLabels[role]}</td>
      <td class="end num number">${values === null ? notInHeaders : formatCount(values)}</td>
      <td class="end num number" title=${bytes === null ? '' : exactBytes(bytes)}>
        ${bytes === null ? notInHeaders : formatBytes(bytes)}
      </td>
      <td class="end num number" title=${logicalBytes === null ? '' : exactBytes(logicalBytes)}>
        ${logicalBytes === null ? notInHeaders : formatBytes(logicalBytes)}
      </td>
      <td class="end num number">${bytes === null || totalBytes === 0 ? notInHeaders : formatShare(bytes / totalBytes)}</td>
    </tr>`;
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
