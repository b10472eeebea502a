import { css, type CSSResult } from 'lit';

/** The page's frame: one column with margins that shrink with the width. */
export const pageFrameStyles: CSSResult = css`
  main {
    max-width: 1280px;
    margin: 0 auto;
    padding: 10px clamp(12px, 2.4vw, 28px) 28px;
  }
  main:has(> [fills]) {
    display: flex;
    flex-direction: column;
    max-width: none;
    height: 100vh;
    min-height: 420px;
    padding-bottom: 8px;
  }
`;
