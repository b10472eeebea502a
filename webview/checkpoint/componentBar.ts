import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { segmentsOf } from '../../src/core/checkpoints/segments.js';
import type { BarPart } from '../shared/stackedBar.js';
import '../shared/stackedBar.js';
import { fillOf } from '../shared/componentColor.js';
import { chooserOf } from './chooseComponent.js';

/** The bar under the headline: all bytes, by component, in their fixed order. */
@customElement('stowage-component-bar')
export class ComponentBar extends LitElement {
  @property({ attribute: false }) report!: CheckpointReport;

  override render(): TemplateResult {
    const parts = segmentsOf(this.report).map((segment): BarPart => ({
      label: segment.label,
      bytes: segment.bytes,
      fill: fillOf(segment.component, segment.part),
      ...chooserOf(this, this.report, segment),
    }));
    return html`<stowage-stacked-bar
      label="Bytes by component"
      .parts=${parts}
      .total=${this.report.totalBytes}
    ></stowage-stacked-bar>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-component-bar': ComponentBar;
  }
}
