import { css, type CSSResult } from 'lit';

/** The page's frame: one column with margins that shrink with the width, and the status line at the bottom. */
export const stowageReportStyles: CSSResult = css`
  main {
    max-width: 1280px;
    margin: 0 auto;
    padding: 18px clamp(12px, 2.4vw, 28px) 28px;
  }
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
