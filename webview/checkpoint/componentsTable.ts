import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { segmentsOf, type Segment } from '../../src/core/checkpoints/segments.js';
import { formatBytes, formatCount, formatPerParameter, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fillOf, fillStyles } from '../shared/componentColor.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { choiceOf } from './chooseComponent.js';
import { filesOfComponent } from './filesOfComponent.js';
import { emitPanelEvent } from '../panel/panelEvents.js';

/** Components with their bytes, shares and files. The last row is the sum, which is the size of all files. */
@customElement('stowage-components-table')
export class ComponentsTable extends LitElement {
  static override styles = [
    baseStyles,
    fillStyles,
    css`
      :host {
        container-type: inline-size;
        max-width: 1000px;
      }
      tbody th {
        color: inherit;
        white-space: normal;
        max-width: 0;
        width: 99%;
        min-width: 120px;
      }
      .name {
        display: flex;
        align-items: baseline;
      }
      .plain:hover {
        color: var(--vscode-textLink-foreground);
        text-decoration: underline;
      }
      .swatch {
        margin-right: 8px;
      }
      .where {
        display: block;
        color: var(--stowage-muted);
        padding-left: 18px;
      }
      td {
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
      @container (max-width: 620px) {
        .exact {
          display: none;
        }
        th,
        td {
          padding-inline: 6px;
        }
      }
      @container (max-width: 480px) {
        .extra {
          display: none;
        }
      }
      @container (max-width: 380px) {
        .ratio {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;

  override render(): TemplateResult {
    const { report } = this;
    const segments = segmentsOf(report);
    const perParameter = report.bytesPerParameter !== null;
    return html`<table>
      <caption class="visually-hidden">
        Bytes by component
      </caption>
      <thead>
        <tr>
          <th scope="col">component</th>
          <th scope="col" class="end exact">bytes</th>
          <th scope="col" class="end">size</th>
          <th scope="col" class="end">share</th>
          ${perParameter ? html`<th scope="col" class="end ratio">B/param</th>` : nothing}
          <th scope="col" class="end extra">tensors</th>
          <th scope="col" class="end extra">files</th>
        </tr>
      </thead>
      <tbody>
        ${segments.map((segment, index) => this.renderSegment(segment, segments[index - 1]?.component, segments))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">all files</th>
          ${this.renderNumbers(report.totalBytes)}
          <td class="end num extra">${formatCount(report.tensorCount)}</td>
          <td class="end num extra">${formatCount(report.files.length)}</td>
        </tr>
      </tfoot>
    </table>`;
  }

  private renderSegment(segment: Segment, previous: string | undefined, all: Segment[]): TemplateResult {
    const { component, part, label, bytes } = segment;
    const { where, everywhere } = filesOfComponent(this.report, component);
    return html`<tr>
      <th scope="row">
        <span class="name"
          ><span class="swatch fill ${fillOf(component, part)}"></span>${
            (this.report.components[component]?.tensors ?? 0) === 0
              ? label
              : html`<button
                  class="plain"
                  title="Show its tensors"
                  @click=${() => emitPanelEvent(this, 'panel-component', choiceOf(segment))}
                >
                  ${label}
                </button>`
          }</span
        >
        <span class="where mono clip" title=${everywhere}><bdi>${where}</bdi></span>
      </th>
      ${this.renderNumbers(bytes)}
      ${component === previous ? nothing : this.renderCounts(component, all.filter((other) => other.component === component).length)}
    </tr>`;
  }

  private renderNumbers(bytes: number): TemplateResult {
    const { totalBytes, bytesPerParameter, parameters } = this.report;
    return html`<td class="end num exact">${formatCount(bytes)}</td>
      <td class="end num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</td>
      <td class="end num">${totalBytes === 0 ? '–' : formatShare(bytes / totalBytes)}</td>
      ${
        bytesPerParameter === null
          ? nothing
          : html`<td class="end num ratio" title=${`${formatCount(bytes)} bytes ÷ ${formatCount(parameters.unique)} parameters`}>
              ${formatPerParameter(bytes / parameters.unique)}
            </td>`
      }`;
  }

  /** Tensors and files are counted for a whole component: its parts lie in the same files. */
  private renderCounts(component: Segment['component'], rows: number): TemplateResult {
    const totals = this.report.components[component];
    return html`<td class="end num extra" rowspan=${rows}>${formatCount(totals?.tensors ?? 0)}</td>
      <td class="end num extra" rowspan=${rows} title=${visibleText(filesOfComponent(this.report, component).everywhere)}>
        ${formatCount(totals?.files ?? 0)}
      </td>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-components-table': ComponentsTable;
  }
}
