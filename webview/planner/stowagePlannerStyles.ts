import { css, type CSSResult } from 'lit';

/** The page's frame: inputs beside answers from 960 px on, one column below. */
export const stowagePlannerStyles: CSSResult = css`
  .columns {
    margin-top: 14px;
  }
  .failure {
    max-width: 72ch;
    padding: 16px 0;
    overflow-wrap: anywhere;
  }
  .failure p {
    margin: 10px 0;
  }
  @container (min-width: 960px) {
    .columns {
      grid-template-columns: 290px minmax(0, 1fr);
    }
    /* Inputs stay in sight while the answers are read. */
    .inputs {
      position: sticky;
      top: 0;
      max-height: 100vh;
      overflow-y: auto;
      overflow-x: hidden;
      padding: 4px 12px 4px 2px;
    }
  }
`;
