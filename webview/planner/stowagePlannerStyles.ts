import { css, type CSSResult } from 'lit';

/** The page's frame: inputs beside answers from 960 px on, one column below. */
export const stowagePlannerStyles: CSSResult = css`
  .columns {
    margin-top: 14px;
    grid-template-areas: 'risks' 'inputs' 'answers';
    row-gap: 0;
  }
  .risks {
    grid-area: risks;
  }
  .inputs {
    grid-area: inputs;
  }
  .answers {
    grid-area: answers;
    min-width: 0;
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
      grid-template: 'inputs risks' auto 'inputs answers' 1fr / 290px minmax(0, 1fr);
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
