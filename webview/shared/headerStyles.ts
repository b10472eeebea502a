import { css, type CSSResult } from 'lit';

/** The head of a panel: what it is about on the left, what can be done with it on the right. */
export const headerStyles: CSSResult = css`
  header {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 6px 12px;
    min-height: 30px;
  }
  h1 {
    min-width: 0;
    font-size: var(--stowage-headline);
    font-weight: 600;
    line-height: 1.3;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    margin-left: auto;
    gap: 8px;
  }
`;
