import { css, type CSSResult } from 'lit';

/** A grid of numbers with the inputs that choose it above. */
export const tensorSliceStyles: CSSResult = css`
  :host {
    margin-top: 12px;
  }
  h3 {
    margin-bottom: 6px;
  }
  .inputs,
  .range {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    gap: 8px;
  }
  .inputs {
    gap: 8px 20px;
    margin-bottom: 8px;
  }
  label {
    display: grid;
    gap: 2px;
  }
  input {
    font: inherit;
    width: 11ch;
    padding: 2px 6px;
    color: var(--vscode-input-foreground, inherit);
    background: var(--vscode-input-background, transparent);
    border: 1px solid var(--vscode-input-border, var(--stowage-line));
    border-radius: 3px;
  }
  .arrow {
    padding: 4px 6px;
  }
  table {
    width: auto;
  }
  th,
  td {
    padding: 2px 8px;
    white-space: nowrap;
    font-size: var(--stowage-small);
  }
  tbody th {
    border-right: 1px solid var(--stowage-line);
  }
  /* Not by colour alone: the text says what it is, and stands out in bold letters. */
  .odd {
    font-weight: 700;
    background: color-mix(in srgb, var(--vscode-errorForeground) 18%, transparent);
    text-decoration: underline;
  }
  .why {
    margin: 6px 0;
    overflow-wrap: anywhere;
  }
  p[role='status'] {
    margin: 4px 0 8px;
  }
`;
