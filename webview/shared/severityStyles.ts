import { css, type CSSResult } from 'lit';

/** Colours of findings and verdicts by their severity. */
export const severityStyles: CSSResult = css`
  .error {
    color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
  }
  .warning {
    color: var(--vscode-editorWarning-foreground);
  }
  .note {
    color: var(--vscode-editorInfo-foreground);
  }
  .fine {
    color: var(--vscode-testing-iconPassed, var(--vscode-charts-green, inherit));
  }
`;
