import { css, type CSSResult } from 'lit';

/** The line above a grid: its filters, what it shows, and its keys. */
export const gridHintStyles: CSSResult = css`
  .hint {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px 12px;
    margin-bottom: 8px;
  }
`;
