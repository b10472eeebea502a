import { css, type CSSResult } from 'lit';

/** Table and detail: side by side where there is room, the detail below otherwise. */
export const tensorsViewStyles: CSSResult = css`
  .summary {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px 12px;
    min-height: 30px;
    margin: 8px 0;
  }
  .grow {
    flex: 1;
  }
  .nothing {
    padding: 12px 2px;
  }
  .two {
    gap: 12px;
  }
  /* What the header, the tabs and the filters leave of the window. */
  stowage-data-grid {
    --grid-height: max(260px, calc(100vh - 190px));
  }
  @container (min-width: 860px) {
    .two.open {
      grid-template-columns: minmax(0, 1fr) minmax(280px, 340px);
    }
  }
`;
