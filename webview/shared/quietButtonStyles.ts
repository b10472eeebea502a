import { css, type CSSResult } from 'lit';

/** Buttons that stand beside content without asking for attention: `quiet` with a frame, `chip` for a filter that is on or off. */
export const quietButtonStyles: CSSResult = css`
  .quiet {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    padding: 3px 10px;
    border: 1px solid var(--stowage-line);
    border-radius: 4px;
    white-space: nowrap;
  }
  .quiet:hover {
    background: var(--stowage-hover);
  }
  .quiet:disabled {
    color: var(--vscode-disabledForeground, inherit);
    cursor: default;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    max-width: 100%;
    padding: 2px 9px;
    border: 1px solid var(--stowage-line);
    border-radius: 12px;
    white-space: nowrap;
  }
  .chip:hover {
    background: var(--stowage-hover);
  }
  .chip.on {
    border-color: var(--vscode-focusBorder);
    background: var(--vscode-inputOption-activeBackground, transparent);
    color: var(--vscode-inputOption-activeForeground, inherit);
  }
`;
