import { css, type CSSResult } from 'lit';

/** The look of the bars of all ranks: a scale at the left, marks above odd ranks, a line that says what is pointed at. */
export const rankStripStyles: CSSResult = css`
  :host {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 4px 8px;
  }
  .scale {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    align-items: flex-end;
    margin: 5px 0 -5px;
    font-size: var(--stowage-small);
    line-height: 1;
    color: var(--stowage-muted);
    white-space: nowrap;
  }
  .bars {
    position: relative;
    padding-top: 10px;
    border-bottom: 1px solid var(--stowage-line);
    cursor: pointer;
  }
  svg {
    display: block;
    width: 100%;
    height: 96px;
    border-top: 1px dashed var(--stowage-line);
  }
  .usual {
    fill: var(--vscode-charts-blue);
  }
  .odd {
    fill: var(--vscode-editorWarning-foreground, var(--vscode-charts-yellow));
    stroke: var(--vscode-editorWarning-foreground, var(--vscode-charts-yellow));
    stroke-width: 1px;
    vector-effect: non-scaling-stroke;
  }
  .pointed {
    fill: color-mix(in srgb, var(--vscode-foreground) 25%, transparent);
    stroke: var(--vscode-foreground);
    stroke-width: 1px;
    vector-effect: non-scaling-stroke;
  }
  .mark {
    position: absolute;
    top: 0;
    width: 9px;
    height: 8px;
    margin-left: -4.5px;
    clip-path: polygon(0 0, 100% 0, 50% 100%);
    background: var(--vscode-editorWarning-foreground, var(--vscode-charts-yellow));
  }
  .reading {
    grid-column: 2;
    min-height: 1.5em;
    overflow-wrap: anywhere;
  }
  @media (forced-colors: active) {
    .usual {
      fill: CanvasText;
    }
    .odd {
      fill: Highlight;
      stroke: Highlight;
    }
    .mark {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`;
