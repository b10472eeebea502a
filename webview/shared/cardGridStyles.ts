import { css, type CSSResult } from 'lit';

/** Where the four cards stand: in one, two or four columns, never three and one. The loading frame stands its blocks the same way. */
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
  }
  @container (min-width: 880px) {
    .cards {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
  }
`;
