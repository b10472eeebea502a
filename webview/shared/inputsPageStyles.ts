import { css, type CSSResult } from 'lit';

/** The frame of a panel with inputs: they are above the answers until the panel sets the width from which on they are beside them. */
export const inputsPageStyles: CSSResult = css`
  :host {
    container-type: inline-size;
  }
  main {
    max-width: 1360px;
    margin: 0 auto;
    padding: 18px clamp(12px, 2.4vw, 28px) 28px;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px 36px;
    align-items: start;
  }
`;
