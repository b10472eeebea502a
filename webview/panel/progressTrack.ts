import { css, html, nothing, type CSSResult, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { cssProperties } from '../shared/cssProperties.js';
import { trackStyles } from '../shared/trackStyles.js';

/** The line of something under way. */
export const progressTrackStyles: CSSResult[] = [
  trackStyles,
  css`
    .track {
      margin: 12px 0 6px;
    }
    .buttons {
      display: flex;
      flex-wrap: wrap;
      gap: 8px;
      margin: 12px 0;
    }
  `,
];

interface Track {
  /** What is under way, for who does not see it. */
  label: string;
  /** Of 1; null until that is known. */
  share: number | null;
  text: string;
  onCancel(): void;
}

/** How far something is, in a line and in words, with a button that ends it. */
export function renderTrack({ label, share, text, onCancel }: Track): TemplateResult {
  const done = Math.min(1, share ?? 0);
  return html`<div
      class="track"
      role="progressbar"
      aria-label=${label}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${share === null ? nothing : Math.floor(done * 100)}
    >
      <div class="done" ${cssProperties({ '--done': `${(done * 100).toFixed(2)}%` })}></div>
    </div>
    <p class="num">${text}</p>
    <div class="buttons"><vscode-button secondary @click=${onCancel}>Cancel</vscode-button></div>`;
}
