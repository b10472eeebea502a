import { css, type CSSResult } from 'lit';

/** The look of the histogram: bars in the colour of tokens, on a line, with labels below. */
export const lengthsViewStyles: CSSResult = css`
  .offer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
    margin-bottom: 14px;
    max-width: 92ch;
  }
  .sentence {
    margin-bottom: 12px;
    overflow-wrap: anywhere;
  }
  figure {
    margin: 0 0 10px;
    max-width: 920px;
  }
  svg {
    display: block;
    border-bottom: 1px solid var(--stowage-muted);
    border-top: 1px dotted var(--stowage-line);
  }
  .top {
    line-height: 1.3;
  }
  .bar {
    fill: var(--vscode-charts-blue);
    forced-color-adjust: none;
  }
  .hit {
    fill: transparent;
  }
  g:hover .hit {
    fill: var(--stowage-hover);
  }
  .axis {
    position: relative;
    height: 1.7em;
    overflow: hidden;
  }
  .axis span {
    position: absolute;
    padding-top: 3px;
    white-space: nowrap;
  }
  #table {
    max-width: 460px;
  }
  tbody th {
    color: inherit;
  }
`;
