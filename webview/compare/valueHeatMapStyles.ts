import { css, type CSSResult } from 'lit';

/** Colours of cells: neutral for equal, one hue that grows stronger with the distance, marks that need no colour for the rest. */
export const valueHeatMapStyles: CSSResult = css`
  table {
    width: auto;
    border-collapse: separate;
    border-spacing: 1px;
  }
  th {
    padding: 0 2px;
    border: 0;
    line-height: 16px;
  }
  tbody th {
    max-width: min(38vw, 380px);
    padding-right: 10px;
    overflow: hidden;
    color: inherit;
  }
  .layer {
    position: relative;
    width: 14px;
    min-width: 14px;
    max-width: 14px;
    padding: 0;
    text-align: center;
    overflow: visible;
  }
  .cell {
    --colour: var(--vscode-charts-blue);
    width: 14px;
    min-width: 14px;
    height: 16px;
    padding: 0;
    border: 1px solid color-mix(in srgb, var(--vscode-foreground) 12%, transparent);
    cursor: pointer;
    forced-color-adjust: none;
  }
  td.cell:focus-visible,
  td.cell:hover {
    outline: 2px solid var(--vscode-focusBorder);
    outline-offset: 0;
  }
  .absent {
    border-color: transparent;
    cursor: default;
  }
  .equal {
    background: color-mix(in srgb, var(--vscode-foreground) 9%, transparent);
  }
  .unlike {
    background: var(--vscode-foreground);
  }
  .unread {
    background: repeating-linear-gradient(
      45deg,
      transparent 0 2px,
      color-mix(in srgb, var(--vscode-foreground) 45%, transparent) 2px 3px
    );
  }
  .level-1 {
    background: color-mix(in srgb, var(--colour) 20%, transparent);
  }
  .level-2 {
    background: color-mix(in srgb, var(--colour) 30%, transparent);
  }
  .level-3 {
    background: color-mix(in srgb, var(--colour) 41%, transparent);
  }
  .level-4 {
    background: color-mix(in srgb, var(--colour) 52%, transparent);
  }
  .level-5 {
    background: color-mix(in srgb, var(--colour) 64%, transparent);
  }
  .level-6 {
    background: color-mix(in srgb, var(--colour) 76%, transparent);
  }
  .level-7 {
    background: color-mix(in srgb, var(--colour) 88%, transparent);
  }
  .level-8 {
    background: var(--colour);
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 18px;
    margin: 4px 0 0;
  }
  .key span {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px;
  }
  .key i {
    display: inline-block;
    height: 12px;
    margin: 0 3px;
    cursor: default;
  }
  .key i + i {
    margin-left: -2px;
  }
`;
