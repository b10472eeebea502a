import { css, html, type CSSResult, type TemplateResult } from 'lit';
import { visibleText } from '../../src/core/text/visibleText.js';

/** Characters at the end of a name that stay: `self_attn.q_proj.weight`. */
const tailLength = 24;
/** Parts of a name stay whole where they are not much longer. */
const longestTail = 28;
/** Of a longer text the middle is left out of the page: a name from a file may have megabytes. */
const longestShown = 2_000;

/** Text from a file that is shortened in its middle where there is no room for all of it: what tells names apart is often at their end. */
export function middleText(text: string): TemplateResult {
  const shown = visibleText(text.length > longestShown ? `${text.slice(0, longestShown - 100)}…${text.slice(-100)}` : text);
  const characters = Array.from(shown);
  if (characters.length <= tailLength) return html`<bdi>${shown}</bdi>`;
  const at = tailStart(characters);
  // Two boxes would be read as two words.
  return html`<bdi class="middle"
    ><span class="visually-hidden">${shown}</span><span class="start" aria-hidden="true">${characters.slice(0, at).join('')}</span
    ><span class="tail" aria-hidden="true">${characters.slice(at).join('')}</span></bdi
  >`;
}

/** Where a part of the name begins, so that most of its end stays; else anywhere. */
function tailStart(characters: readonly string[]): number {
  const first = Math.max(characters.length - longestTail, Math.ceil(characters.length / 3));
  const part = characters.findIndex((character, at) => at >= first && (character === '.' || character === '/'));
  return part === -1 ? characters.length - Math.min(tailLength, Math.floor(characters.length / 2)) : part;
}

/** For the shadow root that shows it, beside `baseStyles`. */
export const middleTextStyles: CSSResult = css`
  .middle {
    display: inline-flex;
    max-width: 100%;
    min-width: 0;
    white-space: pre;
    vertical-align: bottom;
  }
  .middle .start {
    flex: 0 1 auto;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .middle .tail {
    flex: 0 0 auto;
    max-width: 75%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
`;
