import { css, type CSSResult } from 'lit';

/** A view that is one table: where it fills its container, so does the table. */
export const gridViewStyles: CSSResult = css`
  :host([fills]) {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  :host([fills]) stowage-data-grid {
    flex: 1;
  }
`;
