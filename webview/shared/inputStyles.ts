import { css, type CSSResult } from 'lit';

/** One input: its name and where its value comes from above it, its unit in the frame, what is wrong with it below. */
export const inputStyles: CSSResult = css`
  :host {
    margin-bottom: 10px;
  }
  .head {
    display: flex;
    align-items: baseline;
    gap: 0 8px;
    margin-bottom: 2px;
    font-size: var(--stowage-small);
  }
  .origin {
    flex: 1 1 6ch;
    color: var(--stowage-muted);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .origin.assumed::before {
    content: none;
  }
  .tilde {
    padding: 3px 0 3px 7px;
  }
  /* In the way until somebody comes to this input, unless the reader has just changed it. */
  .reset {
    margin-left: auto;
  }
  .reset.calm {
    opacity: 0;
  }
  :host(:hover) .reset,
  :host(:focus-within) .reset {
    opacity: 1;
  }
  .frame {
    display: flex;
    align-items: stretch;
    border: 1px solid var(--vscode-input-border, var(--stowage-line));
    border-radius: 3px;
    background: var(--vscode-input-background, transparent);
  }
  .frame:focus-within {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  .frame.wrong {
    border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
  }
  .frame.wrong:focus-within {
    outline-color: var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
  }
  input[type='text'],
  select {
    font: inherit;
    flex: 1;
    min-width: 0;
    padding: 3px 7px;
    color: var(--vscode-input-foreground, inherit);
    background: transparent;
    border: 0;
    outline: none;
  }
  input[type='text'] {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  input::placeholder {
    color: var(--vscode-input-placeholderForeground, var(--stowage-muted));
    opacity: 1;
  }
  .standard {
    font-style: italic;
  }
  .unit {
    display: flex;
    align-items: center;
    flex: none;
    min-width: 58px;
    padding: 3px 8px;
    color: var(--stowage-muted);
    border-left: 1px solid var(--vscode-input-border, var(--stowage-line));
  }
  select {
    width: 100%;
    text-overflow: ellipsis;
  }
  option {
    color: var(--vscode-dropdown-foreground, var(--vscode-foreground));
    background: var(--vscode-dropdown-background, var(--vscode-editor-background));
  }
  .flag {
    display: flex;
    align-items: baseline;
    gap: 8px;
  }
  input[type='checkbox'] {
    accent-color: var(--vscode-button-background);
    translate: 0 2px;
  }
  .problem {
    display: flex;
    align-items: flex-start;
    gap: 5px;
    margin-top: 3px;
    font-size: var(--stowage-small);
    font-weight: 600;
  }
  .problem vscode-icon {
    flex: none;
    color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
  }
`;
