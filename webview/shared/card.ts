import { html, nothing, type TemplateResult } from 'lit';
import { keepUnits } from './byteText.js';

/** A title, an answer and a detail of one line. Needs `cardStyles`. */
export function cardWith(title: TemplateResult, answer: TemplateResult, detail: string): TemplateResult {
  return html`<section class="card">
    <h2>${title}</h2>
    <div class="line">
      ${answer}
      ${detail === '' ? nothing : html`<p class="detail clip muted" title=${detail}><bdi>${keepUnits(detail)}</bdi></p>`}
    </div>
  </section>`;
}
