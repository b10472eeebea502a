import { css, type CSSResult } from 'lit';

/** The table of tensors, and the details of one over its right side. */
export const tensorsViewStyles: CSSResult = css`
  :host {
    position: relative;
  }
  .nothing {
    padding: 12px 2px;
  }
  .shapes {
    display: inline-flex;
  }
  .shapes .quiet {
    padding: 2px 9px;
  }
  .shapes .quiet:first-child {
    border-radius: 4px 0 0 4px;
  }
  .shapes .quiet:last-child {
    border-radius: 0 4px 4px 0;
    margin-left: -1px;
  }
  .shapes .quiet[aria-pressed='true'] {
    border-color: var(--vscode-focusBorder);
    background: var(--vscode-inputOption-activeBackground, transparent);
    color: var(--vscode-inputOption-activeForeground, inherit);
    position: relative;
  }
  stowage-tensor-detail {
    position: absolute;
    z-index: 2;
    right: 0;
    bottom: 0;
    width: min(360px, 100%);
    max-height: calc(100% - 40px);
    overflow: auto;
    border: 1px solid var(--stowage-line);
    border-radius: 4px;
    background: var(--stowage-raised);
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
  }
  stowage-tensor-detail[wide] {
    width: min(760px, 100%);
  }
`;
