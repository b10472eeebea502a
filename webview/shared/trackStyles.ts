import { css } from 'lit';

/** The line of what is done, in `.track > .done`; how much that is comes as `--done`. */
export const trackStyles = css`
  .track {
    height: 2px;
    background: var(--stowage-line);
  }
  .done {
    height: 100%;
    width: var(--done);
    background: var(--vscode-progressBar-background, var(--vscode-focusBorder));
  }
  @media (forced-colors: active) {
    .done {
      background: Highlight;
    }
  }
`;
