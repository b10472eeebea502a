import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { headerStyles } from '../shared/headerStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { Waiting } from '../shared/waiting.js';
import './breadcrumb.js';
import './progressLine.js';

/** The bar with its legend, the sum below it, the cards. */
const rows: readonly SkeletonRow[] = [
  { heightPx: 30, afterPx: 35 },
  { heightPx: 47, afterPx: 18 },
  { heightPx: 40, count: 4 },
];

/** The report's frame before there is a report: the same blocks at the same places, with how far it is where the answer will stand. */
@customElement('stowage-loading-view')
export class LoadingView extends LitElement {
  static override styles = [
    baseStyles,
    headerStyles,
    css`
      h1 {
        min-height: 30px;
        padding: 8px 0 6px;
        box-sizing: content-box;
      }
      .answer {
        min-height: 47px;
        margin: 4px 0 12px;
      }
      .unseen {
        visibility: hidden;
      }
    `,
  ];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) path = '';
  @property({ attribute: false }) progress: InspectionProgress | null = null;
  private readonly waiting = new Waiting(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.waiting.begin();
  }

  override render(): TemplateResult {
    return html`<stowage-breadcrumb .path=${this.path}></stowage-breadcrumb>
      <h1 class="wrap">${fileText(this.name)}</h1>
      <div class="answer ${this.waiting.stage === 'progress' ? '' : 'unseen'}">
        <stowage-progress-line .progress=${this.progress}></stowage-progress-line>
      </div>
      <stowage-skeleton .rows=${rows}></stowage-skeleton>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-loading-view': LoadingView;
  }
}
