import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { kindLines } from '../../src/core/pages/dataset/datasetLines.js';
import type { ByteKind, DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import type { BarPart } from '../shared/stackedBar.js';
import '../shared/stackedBar.js';

const ofColumns = new Set<ByteKind>(['tokens', 'masks', 'text', 'values']);

/** The bar under the headline: all bytes, by what they are, in their fixed order. */
@customElement('stowage-dataset-bar')
export class DatasetBar extends LitElement {
  @property({ attribute: false }) report!: DatasetReport;

  override render(): TemplateResult {
    const parts = kindLines(this.report).map(({ kind, label, bytes }): BarPart => {
      const isColumn = ofColumns.has(kind) && this.report.columns.length > 0;
      return {
        label,
        bytes,
        fill: kind,
        hint: isColumn ? 'show the columns' : 'show the files',
        choose: () => emitPanelEvent(this, 'panel-tab', isColumn ? 'columns' : 'files'),
      };
    });
    return html`<stowage-stacked-bar
      label="Bytes by what they are"
      .parts=${parts}
      .total=${this.report.totalBytes}
    ></stowage-stacked-bar>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-dataset-bar': DatasetBar;
  }
}
