import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { baseStyles } from './baseStyles.js';

/** While the reader types on, only what they come to rest at is searched for. */
const restMs = 60;

/** The search field of a table. Event: `grid-search` with the text. Escape empties it. */
@customElement('stowage-grid-search')
export class GridSearch extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        flex: 1 1 180px;
        max-width: 420px;
      }
      vscode-textfield {
        width: 100%;
      }
      kbd {
        font-family: var(--stowage-mono);
        font-size: var(--stowage-small);
        color: var(--stowage-muted);
        padding-right: 7px;
      }
    `,
  ];

  @property({ attribute: false }) text = '';
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) placeholder = 'Search';
  @query('vscode-textfield') private field!: HTMLElementTagNameMap['vscode-textfield'];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Puts the caret into the field, once it is there. */
  async focusSearch(): Promise<void> {
    await this.updateComplete;
    await this.field.updateComplete;
    this.field.focus();
    this.field.wrappedElement.select();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override render(): TemplateResult {
    return html`<vscode-textfield
      .label=${this.label}
      placeholder=${this.placeholder}
      .value=${this.text}
      @input=${this.onInput}
      @keydown=${this.onKey}
    >
      <vscode-icon slot="content-before" name="search" size="14"></vscode-icon>
      <kbd slot="content-after" aria-hidden="true" title="Press / to search">/</kbd>
    </vscode-textfield>`;
  }

  private readonly onInput = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(this.field.value), restMs);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.field.value === '') return;
    event.stopPropagation();
    clearTimeout(this.timer);
    this.search('');
  };

  private search(text: string): void {
    this.dispatchEvent(new CustomEvent('grid-search', { detail: text }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-grid-search': GridSearch;
  }
}
