import { css, unsafeCSS, type CSSResult } from 'lit';
import { chartTones, toneLooks } from '../../src/core/pages/charts/chartTones.js';
import type { ChartTone } from '../../src/core/pages/chart.js';

/** The first four are those of weights, master weights and the moments in reports (`componentColor.ts`). */
const colors: Readonly<Record<ChartTone, string>> = {
  line: 'var(--vscode-charts-blue)',
  second: 'var(--vscode-charts-purple)',
  third: 'color-mix(in srgb, var(--vscode-charts-red), var(--vscode-charts-yellow))',
  fourth: 'var(--vscode-charts-yellow)',
  good: 'var(--vscode-charts-green)',
  warning: 'var(--vscode-charts-yellow)',
  bad: 'var(--vscode-charts-red)',
  muted: 'var(--stowage-muted)',
};

const tones = chartTones
  .map((tone) => `.tone-${tone} { --tone: ${colors[tone]}; --dash: ${toneLooks[tone].dash.replaceAll(' ', ',') || 'none'}; }`)
  .join('\n');

/** A chart in the theme's colours; tones differ by pattern and dash as well. */
export const chartStyles: CSSResult = css`
  ${unsafeCSS(tones)}
  figure {
    margin: 8px 0 14px;
  }
  figcaption {
    margin-bottom: 4px;
    font-weight: 600;
  }
  .frame {
    position: relative;
    touch-action: pan-y;
  }
  svg {
    display: block;
    overflow: visible;
  }
  svg svg {
    overflow: hidden;
  }
  text {
    font-size: 12px;
    fill: var(--stowage-muted);
  }
  .main,
  .row,
  .bar,
  .legend {
    fill: var(--vscode-foreground);
  }
  .main {
    font-weight: 600;
  }
  /* The page shines through around the letters, so that a line that crosses them does not strike them out. */
  .main,
  .mark,
  .band-name {
    paint-order: stroke;
    stroke: var(--vscode-editor-background);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  .band-name {
    stroke-opacity: 0.6;
  }
  .grid {
    stroke: color-mix(in srgb, var(--vscode-foreground) 15%, transparent);
  }
  .limit {
    stroke: var(--vscode-foreground);
    stroke-dasharray: 4 3;
  }
  .tint {
    fill: var(--tone);
    fill-opacity: 0.16;
  }
  .hatch {
    fill: none;
    stroke: var(--tone);
    stroke-opacity: 0.4;
    stroke-linecap: round;
  }
  .edge {
    stroke: var(--tone);
  }
  .line {
    fill: none;
    stroke: var(--tone);
    stroke-width: 2px;
    stroke-dasharray: var(--dash);
  }
  .dot {
    fill: var(--vscode-editor-background);
    stroke: var(--vscode-foreground);
  }
  .dot.own {
    fill: var(--vscode-charts-blue);
    stroke: var(--vscode-charts-blue);
  }
  .dot.one {
    fill: color-mix(in srgb, var(--tone) 45%, transparent);
    stroke: var(--tone);
  }
  .pointer {
    stroke: var(--stowage-muted);
  }
  .at {
    fill: var(--tone);
    stroke: var(--vscode-editor-background);
    stroke-width: 1.5px;
  }
  .walk {
    position: absolute;
  }
  .values {
    position: absolute;
    max-width: 60%;
    padding: 5px 9px;
    font-size: var(--stowage-small);
    color: var(--vscode-editorHoverWidget-foreground, var(--vscode-foreground));
    background: var(--vscode-editorHoverWidget-background, var(--vscode-editorWidget-background));
    border: 1px solid
      var(--vscode-contrastBorder, var(--vscode-editorHoverWidget-border, var(--vscode-widget-border, var(--stowage-line))));
    border-radius: 3px;
    pointer-events: none;
    z-index: 1;
  }
  .values p {
    display: flex;
    gap: 6px;
    align-items: baseline;
  }
  .key {
    flex: none;
    width: 8px;
    height: 8px;
    background: var(--tone);
  }
`;
