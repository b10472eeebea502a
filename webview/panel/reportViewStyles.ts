import { css, type CSSResult } from 'lit';

/** Distances between the blocks of a report; the loading frame uses the same, so that nothing moves when the report arrives. */
export const reportViewStyles: CSSResult = css`
  stowage-headline {
    margin: 14px 0 16px;
  }
  .odd {
    margin: 0 0 16px;
    padding: 10px 14px;
    border: 1px solid var(--stowage-line);
    border-radius: var(--stowage-radius);
    background: var(--stowage-raised);
    max-width: 92ch;
  }
  stowage-bytes-per-parameter {
    margin: 18px 0;
  }
  stowage-summary-cards {
    margin: 18px 0;
  }
  stowage-report-footer {
    margin-top: 18px;
  }
`;
