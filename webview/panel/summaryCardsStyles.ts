import { css, type CSSResult } from 'lit';
import { cardGridStyles } from './cardGridStyles.js';
import { severityStyles } from './severityStyles.js';

/** The look of the four cards. */
export const summaryCardsStyles: CSSResult = css`
  ${cardGridStyles}
  .card {
    display: flex;
    flex-direction: column;
    min-width: 0;
    padding: 10px 14px 11px;
    border: 1px solid var(--stowage-line);
    border-radius: var(--stowage-radius);
    background: var(--stowage-raised);
  }
  h2 {
    font-size: var(--stowage-small);
    font-weight: 400;
    color: var(--stowage-muted);
    margin-bottom: 3px;
  }
  .big {
    font-size: 1.231em;
    font-weight: 600;
  }
  .verdict::first-letter {
    text-transform: uppercase;
  }
  .share {
    font-size: 0.813em;
    font-weight: 400;
    color: var(--stowage-muted);
  }
  .line {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 0 6px;
  }
  .detail {
    --lines: 3;
    margin-bottom: 2px;
  }
  .link {
    align-self: flex-start;
    margin-top: auto;
  }
  ${severityStyles}
`;
