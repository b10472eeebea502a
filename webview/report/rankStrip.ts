import { css, html, LitElement, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { RankReport } from '../../src/core/report/checkpointReport.js';
import { baseStyles } from '../shared/baseStyles.js';

const height = 84;

/** Bars of all ranks side by side, on one scale from 0: a rank that is odd stands out. The table below has the numbers. */
@customElement('stowage-rank-strip')
export class RankStrip extends LitElement {
  static override styles = [
    baseStyles,
    css`
      svg {
        display: block;
        width: 100%;
        height: ${height}px;
        border-bottom: 1px solid var(--stowage-line);
      }
      .usual {
        fill: var(--vscode-charts-blue);
      }
      .odd {
        fill: var(--vscode-editorWarning-foreground, var(--vscode-charts-yellow));
      }
      @media (forced-colors: active) {
        .usual {
          fill: CanvasText;
        }
        .odd {
          fill: Highlight;
        }
      }
    `,
  ];

  @property({ attribute: false }) ranks: readonly RankReport[] = [];
  @property({ attribute: false }) odd: ReadonlySet<RankReport> = new Set();
  @property({ attribute: false }) label = '';

  override render(): TemplateResult {
    const { ranks } = this;
    const largest = ranks.reduce((most, { bytes }) => Math.max(most, bytes), 1);
    // Few ranks do not become walls: a bar is at most a tenth as wide as the strip.
    const slots = Math.max(ranks.length, 10);
    const gap = ranks.length > 300 ? 0 : 0.2;
    return html`<svg viewBox="0 0 ${slots} ${height}" preserveAspectRatio="none" role="img" aria-label=${this.label}>
      ${ranks.map((rank, index) => {
        const barHeight = Math.max(rank.bytes === 0 ? 0 : 1, (rank.bytes / largest) * (height - 4));
        return svg`<rect
          class=${this.odd.has(rank) ? 'odd' : 'usual'}
          x=${index + gap / 2}
          y=${height - barHeight}
          width=${1 - gap}
          height=${barHeight}
        ></rect>`;
      })}
    </svg>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-rank-strip': RankStrip;
  }
}
