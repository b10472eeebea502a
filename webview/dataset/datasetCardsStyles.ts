import { css, type CSSResult } from 'lit';

/** Four to seven cards without a gap: as many columns as divide them, and the last one over what is left. */
export const datasetCardsStyles: CSSResult = css`
  @container (min-width: 340px) {
    .cards > :last-child:nth-child(odd) {
      grid-column: span 2;
    }
  }
  @container (min-width: 880px) {
    .cards > :last-child:nth-child(odd) {
      grid-column: auto;
    }
    .cards.of-3 {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .cards.of-5 {
      grid-template-columns: repeat(5, minmax(0, 1fr));
    }
    .cards.of-6 {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .cards.of-7 > :last-child {
      grid-column: span 2;
    }
  }
  .big {
    overflow-wrap: anywhere;
  }
  .source {
    margin-top: 8px;
    padding: 8px 16px;
    border: 1px solid var(--stowage-line);
    border-radius: var(--stowage-radius);
    overflow-wrap: anywhere;
  }
  .source p + p,
  .source .scroll-x {
    margin-top: 6px;
  }
  .source th[scope='row'] {
    color: inherit;
  }
`;
