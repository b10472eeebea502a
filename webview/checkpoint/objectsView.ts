import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
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
      table {
        width: auto;
        min-width: min(100%, 560px);
      }
      tbody th {
        color: inherit;
        font-weight: 400;
      }
      td:nth-child(2) {
        font-weight: 600;
      }
      .hint {
        margin-bottom: 8px;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @property({ attribute: false }) expanded: string[] = [];

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
      <div class="facts scroll-x" tabindex="0" role="group" aria-label="Settings and positions">
        <table>
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">value</th>
              <th scope="col">source</th>
            </tr>
          </thead>
          <tbody>
            ${this.report.facts.map(
              ({ label, value, path, keyPath }) =>
                html`<tr>
                  <th scope="row">${fileText(label)}</th>
                  <td class="num wrap">${fileText(value)}</td>
                  <td class="mono muted wrap">
                    <button class="link" @click=${() => emitPanelEvent(this, 'panel-file', { path, offsetBytes: null })}>
                      ${fileText(path)}
                    </button>
                    ${fileText(keyPath)}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-objects-view': ObjectsView;
  }
}
