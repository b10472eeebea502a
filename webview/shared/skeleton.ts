import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from './baseStyles.js';
import { cssProperties } from './cssProperties.js';
import { Waiting } from './waiting.js';

/** Blocks of one height beside each other: four stand as the cards do. */
export interface SkeletonRow {
  heightPx: number;
  /** Room below it, 12 pixels unless given. */
  afterPx?: number;
  count?: 1 | 4;
}

/** The shapes of what is to come, at their places from the first moment on and seen once the wait is long enough, and what is waited for. */
@customElement('stowage-skeleton')
export class Skeleton extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        container-type: inline-size;
      }
      .words {
        min-height: 1.45em;
        margin-bottom: 8px;
      }
      .row {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 6px 12px;
        margin-bottom: var(--after);
      }
      .row > div {
        height: var(--height);
        background: color-mix(in srgb, var(--vscode-foreground) 7%, transparent);
        border: 1px solid var(--vscode-contrastBorder, transparent);
        border-radius: var(--stowage-radius);
      }
      .unseen {
        visibility: hidden;
      }
      @container (min-width: 340px) {
        .four {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      @container (min-width: 880px) {
        .four {
          grid-template-columns: repeat(4, minmax(0, 1fr));
        }
      }
    `,
  ];

  @property({ attribute: false }) rows: readonly SkeletonRow[] = [];
  /** What is waited for; empty where something else says so. */
  @property() words = '';
  private readonly waiting = new Waiting(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.waiting.begin();
  }

  override render(): TemplateResult {
    const { stage } = this.waiting;
    return html`${this.words === '' ? '' : html`<p class="words muted" role="status">${stage === 'progress' ? this.words : ''}</p>`}
      <div class=${stage === 'unseen' ? 'unseen' : ''} aria-hidden="true">
        ${this.rows.map(
          ({ heightPx, afterPx = 12, count = 1 }) =>
            html`<div
              class="row ${count === 4 ? 'four' : ''}"
              ${cssProperties({ '--height': `${heightPx}px`, '--after': `${afterPx}px` })}
            >
              ${Array.from({ length: count }, () => html`<div></div>`)}
            </div>`,
        )}
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-skeleton': Skeleton;
  }
}
