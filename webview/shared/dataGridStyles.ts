import { css, type CSSResult } from 'lit';

/** The look of `stowage-data-grid`. `--tracks`, `--width` and `--rows` are set by the component. */
export const dataGridStyles: CSSResult = css`
  .scroller {
    overflow: auto;
    height: var(--rows);
    max-height: var(--grid-height, clamp(260px, 64vh, 900px));
    border: 1px solid var(--stowage-line);
    border-radius: 4px;
    position: relative;
    contain: content;
  }
  .scroller:focus-visible {
    outline-offset: 0;
  }
  .row {
    display: grid;
    grid-template-columns: var(--tracks);
    min-width: var(--width);
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
  .scroller:focus .row.selected {
    background: var(--vscode-list-activeSelectionBackground, transparent);
    color: var(--vscode-list-activeSelectionForeground, inherit);
  }
  .scroller:focus .row.selected .muted {
    color: inherit;
  }
  .scroller:focus-visible .row.active {
    outline: 1px solid var(--vscode-list-focusOutline, var(--vscode-focusBorder));
    outline-offset: -1px;
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
  .space {
    position: relative;
    min-width: var(--width);
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
  .sort {
    display: inline-flex;
    align-items: baseline;
    max-width: 100%;
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
  .empty {
    padding: 14px 10px;
  }
  .swatch {
    margin-right: 7px;
  }
`;
