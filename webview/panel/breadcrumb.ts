import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { isRemoteAddress } from '../../src/core/files/remote/remoteScheme.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { emitPanelEvent } from './panelEvents.js';

/** Folders that are shown; what is above them is in the title. */
const shownFolders = 4;

/** The folders around what was inspected, and what can be done with its path. Its own name is the heading below. */
@customElement('stowage-breadcrumb')
export class Breadcrumb extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 4px;
        min-width: 0;
        height: 20px;
        color: var(--stowage-muted);
        font-size: var(--stowage-small);
      }
      nav {
        min-width: 0;
        overflow: hidden;
      }
      ol {
        display: flex;
      }
      /* The nearest folder tells most: the others give way first. */
      li {
        flex: 0 1 auto;
        min-width: 1.5em;
      }
      li:last-child {
        flex-shrink: 0.2;
      }
      li:not(:last-child)::after {
        content: '/';
        padding: 0 5px;
      }
      button {
        display: flex;
        flex: none;
        padding: 2px;
        border-radius: 3px;
      }
      button:hover {
        background: var(--stowage-hover);
      }
    `,
  ];

  /** The whole path, as people call it. */
  @property({ attribute: false }) path = '';

  override render(): TemplateResult | typeof nothing {
    if (this.path === '') return nothing;
    const folders = foldersOf(this.path);
    const left = folders.length - shownFolders;
    return html`<nav aria-label="Path" title=${visibleText(this.path)}>
        <ol>
          ${left > 0 ? html`<li aria-label=${`${left} more folders`}>…</li>` : nothing}
          ${folders.slice(-shownFolders).map((folder) => html`<li class="clip">${fileText(folder)}</li>`)}
        </ol>
      </nav>
      <button
        title="Copy Path"
        aria-label="Copy Path"
        @click=${() => emitPanelEvent(this, 'panel-copy', { text: this.path, what: 'the path' })}
      >
        <vscode-icon name="copy" size="14"></vscode-icon>
      </button>
      ${isRemoteAddress(this.path) ? nothing : this.renderReveal()}`;
  }

  private renderReveal(): TemplateResult {
    return html`<button
      title="Reveal in Explorer"
      aria-label="Reveal in Explorer"
      @click=${() => emitPanelEvent(this, 'panel-reveal', null)}
    >
      <vscode-icon name="folder-opened" size="14"></vscode-icon>
    </button>`;
  }
}

/** Names of the folders around a path of any system, or of an address. */
export function foldersOf(path: string): string[] {
  const [, scheme, below = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(path) ?? [];
  if (scheme !== undefined) {
    const [first, ...others] = below.split('/').slice(0, -1);
    return first === undefined ? [scheme] : [`${scheme}${first}`, ...others.filter((part) => part !== '')];
  }
  // A backslash is a part of names everywhere but in the paths of Windows.
  const separator = /^([A-Za-z]:\\|\\\\)/.test(path) ? /[\\/]+/ : /\/+/;
  return path
    .split(separator)
    .filter((part) => part !== '')
    .slice(0, -1);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-breadcrumb': Breadcrumb;
  }
}
