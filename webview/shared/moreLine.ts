import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatCount } from '../../src/core/text/units.js';
import { baseStyles } from './baseStyles.js';

/** Entries of a list that are shown before the reader asks for more. */
export const listStep = 100;

/** The line below a list that is not shown whole. Event: `show-more`. */
@customElement('stowage-more-line')
export class MoreLine extends LitElement {
  static override styles = [baseStyles];

  @property({ attribute: false }) shown = 0;
  @property({ attribute: false }) total = 0;
  /** What they are, in words. */
  @property({ attribute: false }) rest = '';

  override render(): TemplateResult | typeof nothing {
    const rest = this.total - this.shown;
    if (rest <= 0) return nothing;
    return html`<p>
      <button class="link" @click=${() => this.dispatchEvent(new CustomEvent('show-more'))}>
        Show ${formatCount(Math.min(rest, listStep))} more
      </button>
      <span class="muted">of ${formatCount(rest)}${this.rest === '' ? '' : ` (${this.rest})`}</span>
    </p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-more-line': MoreLine;
  }
}
