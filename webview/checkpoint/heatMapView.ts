import { css, html, LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { heatLevels, oddLevel, type HeatMap } from '../../src/core/pages/values/heatMap.js';
import { baseStyles } from '../shared/baseStyles.js';
import { heatPaths } from './heatPaths.js';

/** A matrix as a picture in the theme's colours, with what it shows in words. */
@customElement('stowage-heat-map')
export class HeatMapView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      svg {
        display: block;
        width: 100%;
        max-width: 400px;
        height: auto;
        max-height: 400px;
        border: 1px solid var(--stowage-line);
      }
      .above {
        fill: var(--vscode-charts-blue);
      }
      .below {
        fill: color-mix(in srgb, var(--vscode-charts-red), var(--vscode-charts-yellow));
      }
      .odd {
        fill: var(--vscode-foreground);
      }
      .key {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 16px;
        margin: 6px 0;
      }
      .key span {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }
      .key svg {
        width: 10px;
        height: 10px;
      }
      p {
        max-width: 72ch;
      }
    `,
  ];

  @property({ attribute: false }) map!: HeatMap;

  override render(): TemplateResult {
    const { rows, columns, levels, coverage, scale, summary } = this.map;
    const paths = heatPaths(levels, columns);
    return html`<svg
        role="img"
        aria-label=${summary}
        viewBox=${`0 0 ${columns} ${rows}`}
        preserveAspectRatio="none"
        shape-rendering="crispEdges"
      >
        ${paths.map(({ level, path }) => renderLevel(level, path))}
      </svg>
      <p class="key small" aria-hidden="true">
        <span>${renderKey(heatLevels)} above 0</span>
        <span>${renderKey(-heatLevels)} below 0</span>
        ${levels.includes(oddLevel) ? html`<span>${renderKey(oddLevel)} NaN or Inf</span>` : nothing}
      </p>
      <p class="muted small">${scale} ${coverage}</p>`;
  }
}

function renderLevel(level: number, path: string): SVGTemplateResult {
  const look = level === oddLevel ? 'odd' : level > 0 ? 'above' : 'below';
  const opacity = level === oddLevel ? 1 : Math.abs(level) / heatLevels;
  return svg`<path class=${look} fill-opacity=${opacity} d=${path}></path>`;
}

function renderKey(level: number): TemplateResult {
  return html`<svg viewBox="0 0 1 1">${renderLevel(level, 'M0 0h1v1h-1z')}</svg>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-heat-map': HeatMapView;
  }
}
