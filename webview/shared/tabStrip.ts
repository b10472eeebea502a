import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatCount } from '../../src/core/text/units.js';
import { baseStyles } from './baseStyles.js';

export interface TabItem {
  id: string;
  label: string;
  count?: number;
}

/**
 * Tabs with counts over one slotted panel. Arrow keys, Home and End move and select, as in VS Code's own settings. Event: `tab-select`
 * with the id.
 */
@customElement('stowage-tab-strip')
export class TabStrip extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .tabs {
        display: flex;
        flex-wrap: wrap;
        gap: 0 20px;
        border-bottom: 1px solid var(--stowage-line);
      }
      .tab {
        scroll-margin-top: 60px;
        padding: 6px 1px 7px;
        color: var(--vscode-panelTitle-inactiveForeground, var(--stowage-muted));
        border-bottom: 2px solid transparent;
        white-space: nowrap;
      }
      .tab:hover {
        color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
      }
      .tab[aria-selected='true'] {
        color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground));
        border-bottom-color: var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder));
      }
      /* Transparent borders are drawn there as well. */
      @media (forced-colors: active) {
        .tab {
          border-bottom-color: Canvas;
        }
        .tab[aria-selected='true'] {
          border-bottom-color: Highlight;
        }
      }
      .tab:focus-visible {
        outline-offset: -2px;
      }
      .count {
        margin-left: 5px;
        color: var(--stowage-muted);
        font-variant-numeric: tabular-nums;
      }
      .panel {
        padding-top: 12px;
        /* A short tab after a long one must not pull the page away under the reader. */
        min-height: 320px;
      }
      :host([fills]) {
        display: flex;
        flex-direction: column;
      }
      :host([fills]) .panel {
        display: flex;
        flex: 1;
        flex-direction: column;
        min-height: 0;
      }
      :host([fills]) ::slotted(*) {
        flex: 1;
        min-height: 0;
      }
      .panel:focus-visible {
        outline-offset: 3px;
      }
    `,
  ];

  @property() label = '';
  @property({ attribute: false }) tabs: TabItem[] = [];
  @property({ attribute: false }) selected = '';
  /** Whether the content takes what the container leaves. */
  @property({ type: Boolean, reflect: true }) fills = false;

  override render(): TemplateResult {
    return html`<div class="tabs" role="tablist" aria-label=${this.label} @keydown=${this.onKey}>
        ${this.tabs.map((tab) => this.renderTab(tab))}
      </div>
      <div class="panel" role="tabpanel" id="panel" aria-labelledby=${`tab-${this.selected}`}><slot></slot></div>`;
  }

  private renderTab({ id, label, count }: TabItem): TemplateResult {
    const selected = id === this.selected;
    return html`<button
      class="tab"
      role="tab"
      id=${`tab-${id}`}
      aria-selected=${selected}
      aria-controls=${selected ? 'panel' : nothing}
      tabindex=${selected ? 0 : -1}
      @click=${() => this.select(id)}
    >
      ${label}${count === undefined ? nothing : html` <span class="count">${formatCount(count)}</span>`}
    </button>`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const at = this.tabs.findIndex(({ id }) => id === this.selected);
    const last = this.tabs.length - 1;
    const moves: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const tab = this.tabs[moves[event.key] ?? -1];
    if (tab === undefined) return;
    event.preventDefault();
    this.select(tab.id);
    void this.updateComplete.then(() => this.focus());
  };

  /** Puts the focus on the selected tab and brings it into view, after something else on the page has chosen it. */
  override focus(): void {
    const button = this.renderRoot.querySelector<HTMLElement>('[aria-selected=true]');
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private select(id: string): void {
    this.dispatchEvent(new CustomEvent('tab-select', { detail: id }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tab-strip': TabStrip;
  }
}
