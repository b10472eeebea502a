import { css, type CSSResult } from 'lit';

/** The look of `stowage-filter-chip`. */
export const filterChipStyles: CSSResult = css`
  :host {
    position: relative;
    display: inline-flex;
    align-items: center;
    max-width: 100%;
  }
  .chip {
    max-width: 260px;
  }
  .clear {
    display: inline-flex;
    padding: 3px;
    margin-left: 2px;
    border-radius: 4px;
  }
  .clear:hover {
    background: var(--stowage-hover);
  }
  .popup {
    position: absolute;
    top: calc(100% + 4px);
    left: var(--shift);
    z-index: 4;
    width: min(420px, calc(100vw - 40px));
    padding: 6px;
    color: var(--vscode-editorWidget-foreground, var(--vscode-foreground));
    background: var(--vscode-editorWidget-background, var(--vscode-editor-background));
    border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, var(--stowage-line)));
    border-radius: 5px;
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }
  input {
    width: 100%;
    padding: 3px 7px;
    font: inherit;
    color: var(--vscode-input-foreground, inherit);
    background: var(--vscode-input-background, transparent);
    border: 1px solid var(--vscode-input-border, var(--stowage-line));
    border-radius: 3px;
  }
  input::placeholder {
    color: var(--vscode-input-placeholderForeground, inherit);
    opacity: 1;
  }
  .list {
    max-height: 300px;
    overflow-y: auto;
    margin-top: 4px;
  }
  .choice {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 3px 6px;
    border-radius: 3px;
    cursor: pointer;
  }
  .choice:hover {
    background: var(--stowage-hover);
  }
  .choice.active {
    background: var(--vscode-list-activeSelectionBackground, transparent);
    color: var(--vscode-list-activeSelectionForeground, inherit);
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .check {
    width: 16px;
    height: 16px;
    flex: none;
  }
  .name {
    flex: 1;
  }
  .amount {
    flex: none;
    font-size: var(--stowage-small);
  }
  .note {
    padding: 5px 8px 2px;
  }
`;
