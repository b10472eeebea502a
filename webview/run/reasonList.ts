import { css, html, nothing, type TemplateResult } from 'lit';
import { keepUnits } from '../shared/byteText.js';

/** Sentences below a headline. */
export const reasonListStyles = css`
  stowage-headline {
    margin-top: 8px;
  }
  .said {
    margin: 8px 0 14px;
    padding: 0;
    list-style: none;
  }
  .said li {
    max-width: 110ch;
    margin-top: 4px;
    overflow-wrap: anywhere;
    text-wrap: pretty;
  }
`;

export function renderReasons(texts: readonly string[]): TemplateResult | typeof nothing {
  return texts.length === 0
    ? nothing
    : html`<ul class="said" aria-label="What the saves show">
        ${texts.map((text) => html`<li>${keepUnits(text)}</li>`)}
      </ul>`;
}
