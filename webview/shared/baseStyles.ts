import { css, type CSSResult } from 'lit';

/** What every component of a panel starts from: boxes, focus, numbers, links, tables. */
export const baseStyles: CSSResult = css`
  :host {
    display: block;
    box-sizing: border-box;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: var(--stowage-large);
    font-weight: 600;
  }
  h3 {
    font-size: var(--stowage-body);
    font-weight: 600;
  }
  .num {
    font-variant-numeric: tabular-nums;
  }
  .mono {
    font-family: var(--stowage-mono);
    font-size: var(--stowage-small);
  }
  .muted {
    color: var(--stowage-muted);
  }
  .small {
    font-size: var(--stowage-small);
  }
  /* How a number is known: counted from shapes or divided, assumed, or (plain) measured. */
  .counted {
    text-decoration: underline dotted var(--stowage-muted) 1px;
    text-underline-offset: 4px;
  }
  .assumed {
    font-style: italic;
  }
  .assumed::before {
    content: '~';
  }
  .clip {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .wrap {
    overflow-wrap: anywhere;
  }
  /* Four lines (or --lines) of a text that may be of any length; more of it stands in the title. */
  .clamp {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: var(--lines, 4);
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    margin: 0;
    text-align: inherit;
    cursor: pointer;
  }
  .link {
    color: var(--vscode-textLink-foreground);
    border-radius: 2px;
  }
  .link:hover {
    color: var(--vscode-textLink-activeForeground, var(--vscode-textLink-foreground));
    text-decoration: underline;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: 1px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th {
    font-weight: 400;
    color: var(--stowage-muted);
    text-align: left;
    padding: 5px 10px;
    border-bottom: 1px solid var(--stowage-line);
    white-space: nowrap;
  }
  td {
    padding: 6px 10px;
    border-bottom: 1px solid var(--stowage-line);
    vertical-align: top;
  }
  th:first-child,
  td:first-child {
    padding-left: 2px;
  }
  .end {
    text-align: right;
  }
  .scroll-x {
    overflow-x: auto;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition: none !important;
      animation: none !important;
      scroll-behavior: auto !important;
    }
  }
`;
