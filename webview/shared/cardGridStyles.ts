import { css, type CSSResult } from 'lit';

/**
 * Where the cards stand: four in one, two or four columns, never three and one; five in one row, or three above two that are wider, and in two columns the
 * last one as wide as both. The loading frame has four blocks, which stand the same way.
 */
export const cardGridStyles: CSSResult = css`
  :host {
    container-type: inline-size;
  }
  .cards {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px 12px;
  }
  @container (min-width: 340px) {
    .cards {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .card:nth-child(5) {
      grid-column: span 2;
    }
  }
  @container (min-width: 620px) {
    .cards:has(> :nth-child(5)) {
      grid-template-columns: repeat(6, minmax(0, 1fr));
    }
    .cards:has(> :nth-child(5)) > * {
      grid-column: span 2;
    }
    .cards > :nth-child(4):not(:last-child),
    .cards > :nth-child(5) {
      grid-column: span 3;
    }
  }
  @container (min-width: 880px) {
    .cards {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
  }
  @container (min-width: 1060px) {
    .cards:has(> :nth-child(5)) {
      /* Counts of findings stay in one line. */
      grid-template-columns: repeat(2, minmax(0, 1fr)) minmax(max-content, 1fr) repeat(2, minmax(0, 1fr));
    }
    .cards:has(> :nth-child(5)) > :nth-child(n) {
      grid-column: auto;
    }
  }
`;
