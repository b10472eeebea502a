import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { DatasetReport } from '../../src/core/report/datasetReport.js';
import { datasetHeadlineOf } from '../../src/core/report/datasetHeadline.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';

/** A whole dataset report: the answer first, then what proves it. */
@customElement('stowage-dataset-view')
export class DatasetView extends LitElement {
  static override styles = [baseStyles];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) report!: DatasetReport;

  override render(): TemplateResult {
    const { size, binarySize, what, how } = datasetHeadlineOf(this.report);
    return html`<h1>${fileText(this.name)}</h1>
      <p>${size} (${binarySize})</p>
      <p>${what}</p>
      <p>${how}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-dataset-view': DatasetView;
  }
}
