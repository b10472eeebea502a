import { css, type CSSResult } from 'lit';

/** The look of the tree of values; kinds are coloured as the editor colours them in code, where the theme says how. */
export const objectTreeStyles: CSSResult = css`
  .tree {
    border: 1px solid var(--stowage-line);
    border-radius: 4px;
    padding: 4px 0;
    overflow-x: auto;
  }
  .row {
    display: flex;
    align-items: baseline;
    gap: 0 6px;
    padding: 2px 10px 2px calc(6px + var(--level) * 16px);
    cursor: default;
    white-space: nowrap;
  }
  .row:hover {
    background: var(--stowage-hover);
  }
  .row:focus-visible {
    background: var(--vscode-list-activeSelectionBackground, transparent);
    color: var(--vscode-list-activeSelectionForeground, inherit);
    outline-offset: -1px;
  }
  .row:focus-visible * {
    color: inherit;
  }
  .twist {
    width: 14px;
    flex: none;
    align-self: center;
    display: inline-flex;
  }
  .key {
    flex: none;
    max-width: 50%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .root {
    font-weight: 600;
    max-width: none;
  }
  .muted + .type,
  .key + .muted {
    margin-left: -6px;
  }
  .type {
    flex: none;
    color: var(--vscode-debugTokenExpression-name, inherit);
  }
  .value {
    overflow: hidden;
    text-overflow: ellipsis;
    min-width: 0;
  }
  .value.number {
    color: var(--vscode-debugTokenExpression-number, inherit);
    font-variant-numeric: tabular-nums;
  }
  .value.text {
    color: var(--vscode-debugTokenExpression-string, inherit);
  }
  .value.boolean,
  .value.none {
    color: var(--vscode-debugTokenExpression-boolean, inherit);
  }
  .value.dict,
  .value.list,
  .value.tuple,
  .value.set,
  .value.object,
  .value.omitted {
    color: var(--stowage-muted);
  }
`;
