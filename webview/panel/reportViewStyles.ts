import { css, type CSSResult } from 'lit';

/** Distances between the blocks of a report; the loading frame uses the same, so that nothing moves when the report arrives. */
export const reportViewStyles: CSSResult = css`
  /* What a table that is shown by itself leaves to the page: nothing to scroll. */
  :host([fills]) {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  :host([fills]) stowage-tab-strip {
    flex: 1;
    min-height: 0;
  }
  :host([fills]) stowage-report-footer {
    margin-top: 8px;
  }
  stowage-headline {
    margin: 4px 0 12px;
  }
  .odd {
    margin: 0 0 16px;
    padding: 10px 14px;
    border: 1px solid var(--stowage-line);
    border-radius: var(--stowage-radius);
    background: var(--stowage-raised);
    max-width: 92ch;
  }
  stowage-bytes-per-parameter,
  stowage-summary-cards {
    margin: 12px 0;
  }
  stowage-report-footer {
    margin-top: 18px;
  }
`;
