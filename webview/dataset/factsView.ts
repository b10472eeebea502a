import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { clampedText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';

/** Settings that the files state, each with the file that says so. */
@customElement('stowage-facts-view')
export class FactsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      tbody th {
        vertical-align: top;
        color: inherit;
        white-space: normal;
        min-width: 9em;
      }
      td {
        min-width: 9em;
      }
    `,
  ];

  @property({ attribute: false }) report!: DatasetReport;
  @state() private shown = listStep;

  override render(): TemplateResult {
    const { facts } = this.report;
    return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Facts">
        <table>
          <caption class="visually-hidden">
            Facts
          </caption>
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">value</th>
              <th scope="col">source</th>
            </tr>
          </thead>
          <tbody>
            ${facts.slice(0, this.shown).map(
              ({ label, value, path, files = 1 }) =>
                html`<tr>
                  <th scope="row" class="wrap">${clampedText(label)}</th>
                  <td class="wrap">${clampedText(value)}</td>
                  <td>
                    <button
                      class="link mono wrap"
                      title="Open the file"
                      @click=${() => emitPanelEvent(this, 'panel-file', { path, offsetBytes: null })}
                    >
                      ${clampedText(path)}
                    </button>
                    ${files === 1 ? nothing : html`<div class="muted small">and ${counted(files - 1, 'more file')}</div>`}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${facts.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-facts-view': FactsView;
  }
}
