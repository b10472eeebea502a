import { css, type CSSResult } from 'lit';

/** Findings beside the verdict and the checks, one below the other where it is narrow. */
export const findingsViewStyles: CSSResult = css`
  .two {
    gap: 16px 32px;
  }
  @container (min-width: 860px) {
    .two {
      grid-template-columns: minmax(0, 1.6fr) minmax(0, 1fr);
    }
  }
  .none {
    padding: 8px 0;
    font-weight: 600;
  }
  .finding {
    display: flex;
    gap: 10px;
    padding: 10px 0;
    border-bottom: 1px solid var(--stowage-line);
  }
  .finding:first-child {
    padding-top: 2px;
  }
  .finding vscode-icon {
    flex: none;
    margin-top: 1px;
  }
  .body {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .link {
    text-align: left;
  }
  .code {
    margin-top: 2px;
    font-size: var(--stowage-small);
  }
  .side {
    margin-bottom: 18px;
    overflow-wrap: anywhere;
  }
  .side h2 {
    font-size: var(--stowage-body);
    margin-bottom: 4px;
  }
  .side h3 {
    margin: 10px 0 4px;
    font-weight: 400;
    color: var(--stowage-muted);
  }
  .parts {
    margin-top: 6px;
  }
  .parts li {
    display: flex;
    gap: 7px;
    padding: 2px 0;
  }
  .parts vscode-icon {
    flex: none;
    margin-top: 2px;
  }
  .checks {
    list-style: disc;
    padding-left: 18px;
  }
  .checks li {
    padding: 1px 0;
  }
`;
