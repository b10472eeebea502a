import { css, type CSSResult } from 'lit';

/** Inputs beside answers, one below the other where it is narrow. */
export const planViewStyles: CSSResult = css`
  .two {
    gap: 20px 48px;
  }
  @container (min-width: 760px) {
    .two {
      grid-template-columns: minmax(0, 320px) minmax(0, 1fr);
    }
  }
  .input {
    margin-bottom: 12px;
  }
  .field {
    display: flex;
    align-items: baseline;
    gap: 8px;
    margin: 2px 0;
  }
  input {
    font: inherit;
    flex: 1;
    min-width: 0;
    max-width: 220px;
    padding: 3px 7px;
    text-align: right;
    font-variant-numeric: tabular-nums;
    color: var(--vscode-input-foreground, inherit);
    background: var(--vscode-input-background, transparent);
    border: 1px solid var(--vscode-input-border, var(--stowage-line));
    border-radius: 3px;
  }
  input:focus {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  input[aria-invalid='true'] {
    border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
  }
  .problem {
    font-weight: 600;
  }
  dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
    gap: 14px 24px;
    margin-bottom: 16px;
  }
  dt {
    font-size: var(--stowage-small);
  }
  dd {
    font-size: var(--stowage-large);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .sentence {
    max-width: 80ch;
    margin-bottom: 8px;
    text-wrap: pretty;
  }
`;
