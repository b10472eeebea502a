import { css, type CSSResult } from 'lit';

/** The last thing worth saying, at the bottom of a panel for a while. */
export const saidStyles: CSSResult = css`
  .said {
    position: fixed;
    left: 50%;
    bottom: 16px;
    translate: -50% 0;
    max-width: min(560px, calc(100vw - 32px));
    padding: 0;
    border-radius: 4px;
    color: var(--vscode-notifications-foreground, var(--vscode-foreground));
    background: var(--vscode-notifications-background, var(--vscode-editorWidget-background));
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
    overflow-wrap: anywhere;
    z-index: 10;
  }
  .said.shown {
    padding: 8px 14px;
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, var(--stowage-line)));
  }
`;
