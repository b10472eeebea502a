import { css, type CSSResult } from 'lit';

/** A box that wants to be read before anything is done. */
export const noticeStyles: CSSResult = css`
  .notice {
    margin: 10px 0;
    padding: 8px 12px;
    border: 1px solid var(--vscode-inputValidation-warningBorder, var(--vscode-editorWarning-foreground, var(--stowage-line)));
    border-radius: var(--stowage-radius);
  }
  .notice.error {
    border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-editorError-foreground, var(--stowage-line)));
  }
  .notice vscode-icon {
    margin-right: 6px;
    vertical-align: -3px;
    color: var(--vscode-editorWarning-foreground, inherit);
  }
  .notice.error vscode-icon {
    color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
  }
  .notice button {
    margin-top: 6px;
  }
`;
