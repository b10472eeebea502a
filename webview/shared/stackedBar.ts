import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatBytes, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from './baseStyles.js';
import { exactBytes } from './byteText.js';
import { fillStyles, type FillId } from './componentColor.js';
import { cssProperties } from './cssProperties.js';
import { RovingFocus } from './rovingFocus.js';

export interface BarPart {
  label: string;
  bytes: number;
  fill: FillId;
  /** What choosing it does, in a few words. */
  hint: string;
  choose(): void;
}

/** Below this share a part is no more than a line; such parts are drawn as one. */
const smallestShare = 0.004;

/** From this share on a label of 26 characters fits into a bar of 860 pixels. */
const labelledShare = 0.2;

/** One bar of parts that sum to a total, with labels where they fit and a legend for the others. Choosing a part is the caller's business. */
@customElement('stowage-stacked-bar')
export class StackedBar extends LitElement {
  static override styles = [
    baseStyles,
    fillStyles,
    css`
      :host {
        container-type: inline-size;
      }
      .bar {
        display: flex;
        gap: 2px;
        height: 30px;
        border-radius: 4px;
        overflow: hidden;
      }
      .part {
        flex: var(--bytes) 1 0;
        min-width: 5px;
        display: flex;
      }
      .part > * {
        flex: 1;
        min-width: 0;
        padding: 0 8px;
        display: flex;
        align-items: center;
        border: 1px solid var(--vscode-contrastBorder, transparent);
      }
      .part.narrow > * {
        padding: 0;
      }
      .part > :focus-visible {
        outline: 2px solid var(--vscode-focusBorder);
        outline-offset: -3px;
      }
      .part button:hover {
        filter: brightness(1.08);
      }
      /* What does not fit wraps out of sight, whole: half a number would be a wrong one. */
      .label {
        display: flex;
        flex-wrap: wrap;
        column-gap: 0.4em;
        min-width: 0;
        height: 1.5em;
        line-height: 1.5;
        overflow: hidden;
        font-size: var(--stowage-small);
        white-space: nowrap;
      }
      .label::before {
        content: '';
        height: 1.5em;
        margin-right: -0.4em;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 3px 18px;
        margin-top: 6px;
        color: var(--stowage-muted);
        font-size: var(--stowage-small);
      }
      .legend .swatch {
        margin-right: 6px;
      }
      /* Their label stands in the bar. */
      @container (min-width: 860px) {
        .legend .wide {
          display: none;
        }
      }
    `,
  ];

  @property() label = '';
  @property({ attribute: false }) parts: BarPart[] = [];
  @property({ attribute: false }) total = 0;
  private readonly roving = new RovingFocus(this, '.part button');

  override render(): TemplateResult {
    const lines = this.parts.filter(({ bytes }) => bytes / this.total < smallestShare);
    // One alone keeps its colour.
    const small = lines.length > 1 ? lines : [];
    const large = this.parts.filter((part) => !small.includes(part));
    const rest = small.reduce((sum, { bytes }) => sum + bytes, 0);
    return html`<ul class="bar" aria-label=${this.label} @keydown=${this.roving.onKey} @focusin=${this.roving.onFocus}>
        ${large.map((part, place) => this.renderPart(part, place))} ${small.length === 0 ? nothing : this.renderRest(small, rest)}
      </ul>
      <ul class="legend" aria-label="Legend">
        ${large.map(({ label, fill, bytes }) => this.renderKey(label, fill, bytes))}
        ${small.length === 0 ? nothing : this.renderKey('other', 'rest', rest)}
      </ul>`;
  }

  private renderPart({ label, bytes, fill, hint, choose }: BarPart, place: number): TemplateResult {
    const share = bytes / this.total;
    const words = `${label}, ${formatBytes(bytes)}, ${formatShare(share)}`;
    return html`<li class="part ${share < 0.03 ? 'narrow' : ''}" ${cssProperties({ '--bytes': String(share * 1000) })}>
      <button
        class="fill ${fill}"
        tabindex=${this.roving.tabIndexOf(place)}
        @click=${choose}
        aria-label=${`${words}: ${hint}`}
        title=${`${words}\n${exactBytes(bytes)}\nClick: ${hint}`}
      >
        ${share < 0.03 ? nothing : html`<span class="label num"><span>${label}</span> <span>${formatBytes(bytes)}</span> <span>${formatShare(share)}</span></span>`}
      </button>
    </li>`;
  }

  private renderRest(small: BarPart[], bytes: number): TemplateResult {
    const words = small.map((part) => `${part.label} ${formatBytes(part.bytes)}`).join(', ');
    return html`<li class="part narrow" ${cssProperties({ '--bytes': String((bytes / this.total) * 1000) })}>
      <span class="fill rest" role="img" aria-label=${words} title=${words}></span>
    </li>`;
  }

  private renderKey(label: string, fill: FillId, bytes: number): TemplateResult {
    return html`<li class="num ${bytes / this.total >= labelledShare ? 'wide' : ''}" title=${exactBytes(bytes)}>
      <span class="swatch fill ${fill}"></span>${label} ${formatShare(bytes / this.total)}
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-stacked-bar': StackedBar;
  }
}
