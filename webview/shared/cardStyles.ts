import { css, type CSSResult } from 'lit';
import { cardGridStyles } from './cardGridStyles.js';
import { severityStyles } from './severityStyles.js';

/** The look of the cards: a strip of short answers. */
export const cardStyles: CSSResult = css`
  ${cardGridStyles}
  .cards {
    padding: 5px 0;
    border-block: 1px solid var(--stowage-line);
  }
  .card {
    min-width: 0;
    padding: 0 14px 0 2px;
  }
  h2 {
    font-size: var(--stowage-small);
    font-weight: 400;
    color: var(--stowage-muted);
  }
  .big {
    font-size: var(--stowage-large);
    font-weight: 600;
  }
  .verdict::first-letter {
    text-transform: uppercase;
  }
  .share {
    font-size: var(--stowage-body);
    font-weight: 400;
    color: var(--stowage-muted);
  }
  .line,
  .counts {
    display: flex;
    align-items: baseline;
    gap: 0 8px;
    min-width: 0;
  }
  .line > :first-child {
    flex: none;
    max-width: 100%;
  }
  /* None of the counts is cut off: in a narrow card they take a second line. */
  .counts {
    align-items: center;
    flex-wrap: wrap;
    white-space: nowrap;
  }
  .detail {
    flex: 1 1 0;
    min-width: 0;
    font-size: var(--stowage-small);
  }
  ${severityStyles}
`;
