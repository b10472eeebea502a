import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { segmentsOf } from '../../src/core/checkpoints/segments.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fillOf } from '../shared/componentColor.js';
import { twoColumnStyles } from '../shared/twoColumnStyles.js';
import '../shared/treemap.js';
import type { TreemapTile } from '../shared/treemap.js';
import { chooserOf } from './chooseComponent.js';
import './componentsTable.js';
import './storedTwice.js';

/** The first tab: every byte by component, as a table and as areas. */
@customElement('stowage-components-view')
export class ComponentsView extends LitElement {
  static override styles = [
    baseStyles,
    twoColumnStyles,
    css`
      .two {
        gap: 20px 24px;
      }
      stowage-treemap {
        height: 280px;
      }
      @container (min-width: 900px) {
        .two {
          grid-template-columns: minmax(0, 1.55fr) minmax(0, 1fr);
          align-items: stretch;
        }
        stowage-treemap {
          height: auto;
          min-height: 300px;
          max-height: 560px;
        }
      }
      stowage-stored-twice {
        margin-top: 20px;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;

  override render(): TemplateResult {
    const tiles = segmentsOf(this.report).map((segment): TreemapTile => ({
      label: segment.label,
      bytes: segment.bytes,
      fill: fillOf(segment.component, segment.part),
      ...chooserOf(this, this.report, segment.component),
    }));
    if (tiles.length === 0) return html`<p class="muted">There are no bytes to account for.</p>`;
    return html`<div class="two">
        <stowage-components-table .report=${this.report}></stowage-components-table>
        <stowage-treemap label="Components by area" .tiles=${tiles}></stowage-treemap>
      </div>
      ${this.report.storedTwice.items.length === 0 ? nothing : html`<stowage-stored-twice .report=${this.report}></stowage-stored-twice>`}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-components-view': ComponentsView;
  }
}
