import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { baseStyles } from './baseStyles.js';
import { onPointerOutside } from './elementControllers.js';
import { quietButtonStyles } from './quietButtonStyles.js';

export interface MenuItem {
  id: string;
  label: string;
  /** Said after the label, e.g. how many rows it would save. */
  detail?: string;
  disabled?: boolean;
  /** Set for what is switched on and off; choosing it leaves the menu open. */
  checked?: boolean;
}

/** A button that opens a menu: arrow keys, Home and End move, Escape closes and gives the focus back. Event: `menu-choose` with the id. */
@customElement('stowage-menu-button')
export class MenuButton extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    css`
      :host {
        position: relative;
        display: inline-block;
      }
      .menu {
        position: absolute;
        top: calc(100% + 4px);
        right: 0;
        z-index: 5;
        min-width: 240px;
        max-width: calc(100vw - 32px);
        padding: 4px;
        color: var(--vscode-menu-foreground, var(--vscode-foreground));
        background: var(--vscode-menu-background, var(--vscode-editor-background));
        border: 1px solid var(--vscode-contrastBorder, var(--vscode-menu-border, var(--stowage-line)));
        border-radius: 5px;
        box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
      }
      .item {
        display: flex;
        justify-content: space-between;
        gap: 16px;
        width: 100%;
        padding: 4px 10px;
        border-radius: 3px;
      }
      .check {
        margin-right: 6px;
        vertical-align: -2px;
      }
      .item:focus {
        color: var(--vscode-menu-selectionForeground, inherit);
        background: var(--vscode-menu-selectionBackground, transparent);
        outline: 1px solid var(--vscode-menu-selectionBorder, transparent);
        outline-offset: -1px;
      }
      .item[aria-disabled='true'] {
        color: var(--vscode-disabledForeground, inherit);
        cursor: default;
      }
    `,
  ];

  @property() label = '';
  @property({ attribute: false }) items: MenuItem[] = [];
  @state() private open = false;
  @query('.trigger') private trigger!: HTMLElement;

  constructor() {
    super();
    onPointerOutside(this, () => (this.open = false));
  }

  override render(): TemplateResult {
    return html`<button
        class="trigger quiet"
        aria-haspopup="menu"
        aria-expanded=${this.open}
        @click=${() => this.toggle(!this.open)}
        @keydown=${this.onTriggerKey}
      >
        ${this.label}<vscode-icon name="chevron-down" size="14"></vscode-icon>
      </button>
      ${this.open ? this.renderMenu() : nothing}`;
  }

  private renderMenu(): TemplateResult {
    return html`<div class="menu" role="menu" aria-label=${this.label} @keydown=${this.onMenuKey} @focusout=${this.onFocusOut}>
      ${this.items.map(
        ({ id, label, detail, disabled, checked }) =>
          html`<button
            class="item"
            role=${checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked=${checked ?? nothing}
            tabindex="-1"
            aria-disabled=${disabled === true}
            @click=${() => disabled !== true && this.choose(id, checked !== undefined)}
            @pointermove=${(event: Event) => (event.currentTarget as HTMLElement).focus()}
          >
            <span
              >${checked === undefined ? nothing : html`<vscode-icon class="check" name=${checked ? 'check' : 'blank'} size="14"></vscode-icon>`}${label}</span
            >${detail === undefined ? nothing : html`<span class="detail num">${detail}</span>`}
          </button>`,
      )}
    </div>`;
  }

  private toggle(open: boolean): void {
    this.open = open;
    if (open) void this.updateComplete.then(() => this.entries()[0]?.focus());
  }

  private choose(id: string, isSwitch: boolean): void {
    this.open = isSwitch;
    if (!isSwitch) this.trigger.focus();
    this.dispatchEvent(new CustomEvent('menu-choose', { detail: id }));
  }

  private entries(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.item')];
  }

  private readonly onTriggerKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    this.toggle(true);
  };

  private readonly onMenuKey = (event: KeyboardEvent): void => {
    const entries = this.entries();
    const at = entries.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const last = entries.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const to = entries[moves[event.key] ?? -1];
    if (to !== undefined) to.focus();
    else if (event.key === 'Escape') {
      this.open = false;
      this.trigger.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly onFocusOut = (event: FocusEvent): void => {
    const to = event.relatedTarget;
    if (to instanceof Node && !this.renderRoot.contains(to)) this.open = false;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-menu-button': MenuButton;
  }
}
