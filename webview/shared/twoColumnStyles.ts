import { css, type CSSResult } from 'lit';

/** Two parts below each other. Each view sets their gap, and the width from which on they are side by side. */
export const twoColumnStyles: CSSResult = css`
  :host {
    container-type: inline-size;
  }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
`;
