import { css, type CSSResult } from 'lit';

/** The button that does what the page is for. */
export const primaryButtonStyles: CSSResult = css`
  .primary {
    padding: 3px 14px;
    border: 1px solid var(--vscode-button-border, transparent);
    border-radius: 4px;
    color: var(--vscode-button-foreground);
    background: var(--vscode-button-background);
  }
  .primary:hover {
    background: var(--vscode-button-hoverBackground, var(--vscode-button-background));
  }
  .primary:focus-visible {
    outline-offset: 2px;
  }
  .primary:disabled {
    opacity: 0.5;
    cursor: default;
  }
`;
