import { css, type CSSResult } from 'lit';

/** The look of the bytes-per-parameter sum. */
export const bytesPerParameterStyles: CSSResult = css`
  .box {
    border: 1px solid var(--stowage-line);
    border-radius: var(--stowage-radius);
  }
  .sum {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px;
    padding: 3px 8px;
  }
  .addend {
    display: flex;
    align-items: center;
    gap: 4px;
    min-width: 0;
  }
  .grow {
    flex: 1;
  }
  .operator {
    color: var(--stowage-muted);
  }
  .term {
    display: flex;
    flex-direction: column;
    align-items: center;
    min-width: 0;
    padding: 1px 8px 2px;
    border-radius: 4px;
    border: 1px solid transparent;
  }
  .term:hover {
    background: var(--stowage-hover);
    border-color: var(--vscode-contrastActiveBorder, transparent);
  }
  .term.open {
    border-color: var(--vscode-focusBorder);
  }
  .number {
    font-size: var(--stowage-large);
    font-weight: 600;
    line-height: 1.3;
  }
  .name {
    max-width: 220px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: var(--stowage-small);
    line-height: 1.3;
    color: var(--stowage-muted);
  }
  .source {
    padding: 10px 20px 14px;
    border-top: 1px solid var(--stowage-line);
  }
  .source p {
    margin-bottom: 8px;
    max-width: 92ch;
  }
  .source tbody th,
  .source tfoot th {
    color: inherit;
  }
  .source tfoot th,
  .source tfoot td {
    border-bottom: 0;
    font-weight: 600;
  }
  .source tfoot .muted {
    font-weight: 400;
  }
  .source .swatch {
    margin-right: 8px;
  }
  .marked th,
  .marked td {
    background: var(--vscode-list-inactiveSelectionBackground, transparent);
    border-block: 1px solid var(--vscode-contrastActiveBorder, var(--stowage-line));
  }
`;
