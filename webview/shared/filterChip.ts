import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { baseStyles } from './baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { fillStyles, type FillId } from './componentColor.js';
import { cssProperties } from './cssProperties.js';
import { onPointerOutside } from './elementControllers.js';
import { fileText } from './fileText.js';
import { filterChipStyles } from './filterChipStyles.js';
import { rowAfterKey } from './gridKeys.js';
import { quietButtonStyles } from './quietButtonStyles.js';
import { visibleText } from '../../src/core/text/visibleText.js';

export interface FilterChoice {
  value: string;
  label: string;
  tensors: number;
  bytes: number;
  fill?: FillId;
}

/** Of the list, as `filterChipStyles` has them, in pixels. */
const listWidth = 420;
const margin = 20;

/** A list longer than this is narrowed by typing. */
const shownChoices = 100;

/**
 * A chip that opens a list of values to filter by. Values are switched on and off with Space, Enter or a click; typing narrows the list.
 * Events: `filter-toggle` with the value, `filter-clear`.
 */
@customElement('stowage-filter-chip')
export class FilterChip extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, fillStyles, filterChipStyles];

  @property({ attribute: false }) label = '';
  @property({ attribute: false }) choices: FilterChoice[] = [];
  @property({ attribute: false }) chosen: string[] = [];
  @property({ attribute: false }) describe: (value: string) => string = (value) => value;
  @state() private open = false;
  @state() private active = 0;
  @state() private typed = '';
  /** How far the list stands left of its chip, so that it stays within the page. */
  private shift = 0;
  @query('.chip') private chip!: HTMLElement;
  @query('input') private input!: HTMLInputElement | null;

  constructor() {
    super();
    onPointerOutside(this, () => (this.open = false));
  }

  override render(): TemplateResult {
    const [first] = this.chosen;
    const on = first !== undefined;
    return html`<button
        class="chip ${on ? 'on' : ''}"
        aria-haspopup="dialog"
        aria-expanded=${this.open}
        @click=${() => this.toggleOpen(!this.open)}
      >
        <span class="clip"
          >${this.label}${on ? html`: ${fileText(this.describe(first))}${this.chosen.length > 1 ? ` +${this.chosen.length - 1}` : ''}` : nothing}</span
        ><vscode-icon name="chevron-down" size="12"></vscode-icon>
      </button>
      ${
        on
          ? html`<button
              class="clear"
              aria-label=${`Clear the filter ${this.label}`}
              title="Clear"
              @click=${() => this.emit('filter-clear')}
            >
              <vscode-icon name="close" size="12"></vscode-icon>
            </button>`
          : nothing
      }
      ${this.open ? this.renderPopup() : nothing}`;
  }

  private renderPopup(): TemplateResult {
    const found = this.found();
    const shown = found.slice(0, shownChoices);
    const active = Math.min(this.active, shown.length - 1);
    return html`<div
      class="popup"
      ${cssProperties({ '--shift': `${this.shift}px` })}
      role="dialog"
      aria-label=${`Filter by ${this.label}`}
      @keydown=${this.onKey}
    >
      <input
        type="text"
        role="combobox"
        aria-label=${`Narrow the list of ${this.label} values`}
        aria-controls="list"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-activedescendant=${active >= 0 ? `choice-${active}` : nothing}
        placeholder="Type to narrow"
        .value=${this.typed}
        @input=${() => {
          this.typed = this.input?.value ?? '';
          this.active = 0;
        }}
      />
      <div class="list" id="list" role="listbox" aria-multiselectable="true" aria-label=${this.label}>
        ${shown.map((choice, index) => this.renderChoice(choice, index, index === active))}
      </div>
      ${found.length === 0 ? html`<p class="note muted">${this.choices.length === 0 ? 'No values are known yet.' : 'No value matches.'}</p>` : nothing}
      ${
        found.length > shownChoices
          ? html`<p class="note muted">and ${formatCount(found.length - shownChoices)} more: type to narrow</p>`
          : nothing
      }
    </div>`;
  }

  private renderChoice(choice: FilterChoice, index: number, active: boolean): TemplateResult {
    const on = this.chosen.includes(choice.value);
    return html`<div
      class="choice ${active ? 'active' : ''}"
      role="option"
      id=${`choice-${index}`}
      aria-selected=${on}
      title=${visibleText(choice.label)}
      @click=${() => {
        this.active = index;
        this.emit('filter-toggle', choice.value);
      }}
    >
      <span class="check">${on ? html`<vscode-icon name="check" size="14"></vscode-icon>` : nothing}</span>
      ${choice.fill === undefined ? nothing : html`<span class="swatch fill ${choice.fill}"></span>`}
      <span class="clip name">${fileText(choice.label)}</span>
      <span class="num amount">${counted(choice.tensors, 'tensor')} · ${formatBytes(choice.bytes)}</span>
    </div>`;
  }

  private found(): FilterChoice[] {
    const words = this.typed
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    return this.choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  }

  private toggleOpen(open: boolean): void {
    this.open = open;
    if (!open) return;
    const room = document.documentElement.clientWidth;
    this.shift = Math.min(0, room - margin - Math.min(listWidth, room - 2 * margin) - this.getBoundingClientRect().left);
    this.typed = '';
    this.active = 0;
    void this.updateComplete.then(() => this.input?.focus());
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const shown = this.found().slice(0, shownChoices);
    const inText = event.key === 'Home' || event.key === 'End';
    const to = inText ? null : rowAfterKey(event.key, this.active, shown.length, 8);
    if (to !== null) {
      this.active = to;
      void this.updateComplete.then(() => this.renderRoot.querySelector(`#choice-${to}`)?.scrollIntoView({ block: 'nearest' }));
    } else if (event.key === 'Enter' || (event.key === ' ' && this.typed === '')) {
      const choice = shown[this.active];
      if (choice !== undefined) this.emit('filter-toggle', choice.value);
    } else if (event.key === 'Escape') {
      this.open = false;
      this.chip.focus();
    } else if (event.key === 'Tab') {
      this.open = false;
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private emit(name: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-filter-chip': FilterChip;
  }
}
