import { css, type CSSResult } from 'lit';

/** The look of `stowage-data-grid`. `--tracks` and `--least` are set by the component. */
export const dataGridStyles: CSSResult = css`
  :host([fills]) {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  .bar {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    min-height: 30px;
    margin-bottom: 6px;
  }
  .grow {
    flex: 1;
  }
  .said {
    overflow-wrap: anywhere;
  }
  .table {
    position: relative;
    overflow-x: auto;
    overflow-y: hidden;
    border: 1px solid var(--stowage-line);
    border-radius: 4px;
    contain: content;
  }
  :host([fills]) .table {
    flex: 0 1 auto;
    min-height: 140px;
    overflow-y: auto;
  }
  .table:focus-visible {
    outline-offset: 0;
  }
  .row {
    display: grid;
    grid-template-columns: var(--tracks);
    min-width: var(--least);
    height: 26px;
    align-items: center;
  }
  .space .row {
    border-bottom: 1px solid color-mix(in srgb, var(--stowage-line) 55%, transparent);
    cursor: default;
  }
  .space .row:hover {
    background: var(--stowage-hover);
  }
  .space .row.selected {
    background: var(--vscode-list-inactiveSelectionBackground, transparent);
    color: var(--vscode-list-inactiveSelectionForeground, inherit);
    outline: 1px dotted var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .table:focus .row.selected {
    background: var(--vscode-list-activeSelectionBackground, transparent);
    color: var(--vscode-list-activeSelectionForeground, inherit);
  }
  .table:focus .row.selected .muted,
  .table:focus .row.selected .link {
    color: inherit;
  }
  .table:focus-visible .row.active {
    outline: 1px solid var(--vscode-list-focusOutline, var(--vscode-focusBorder));
    outline-offset: -1px;
  }
  .table:focus-visible .cell.current {
    box-shadow: inset 0 -2px 0 var(--vscode-list-focusOutline, var(--vscode-focusBorder));
  }
  .header {
    position: sticky;
    top: 0;
    z-index: 1;
    height: 30px;
    background: var(--stowage-raised);
    border-bottom: 1px solid var(--stowage-line);
    color: var(--stowage-muted);
  }
  .header .cell {
    position: relative;
    height: 100%;
    display: flex;
    align-items: center;
  }
  .header .cell.end {
    justify-content: flex-end;
  }
  .space {
    position: relative;
    min-width: var(--least);
    overflow: hidden;
  }
  .window {
    will-change: transform;
  }
  .cell {
    padding: 0 8px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .cell.end {
    text-align: right;
  }
  .cell.node {
    display: flex;
    align-items: center;
    min-width: 0;
  }
  .twist {
    flex: none;
    display: inline-flex;
    width: calc(18px + var(--level) * 14px);
    justify-content: flex-end;
    padding-right: 4px;
    align-self: stretch;
    align-items: center;
  }
  .sort {
    display: inline-flex;
    align-items: baseline;
    max-width: 100%;
    min-width: 0;
    border-radius: 2px;
  }
  .sort:hover,
  .sort.ascending,
  .sort.descending {
    color: var(--vscode-foreground);
  }
  .arrow {
    width: 12px;
    text-align: center;
    flex: none;
  }
  .end .sort {
    flex-direction: row-reverse;
  }
  .grip {
    position: absolute;
    top: 0;
    right: 0;
    width: 7px;
    height: 100%;
    cursor: col-resize;
    touch-action: none;
    border-right: 1px solid color-mix(in srgb, var(--stowage-line) 70%, transparent);
  }
  .grip:hover,
  .grip:active {
    border-right: 2px solid var(--vscode-sash-hoverBorder, var(--vscode-focusBorder));
  }
  .cell:last-child .grip {
    border-right-color: transparent;
  }
  .empty {
    padding: 14px 10px;
  }
  .swatch {
    margin-right: 7px;
  }
  .cell-link {
    max-width: 100%;
  }
  .bad {
    color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
    vertical-align: -3px;
  }
  .node-name {
    min-width: 0;
    overflow: hidden;
  }
  .size {
    flex: none;
    margin-left: 10px;
  }
`;
