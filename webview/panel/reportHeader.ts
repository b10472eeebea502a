import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { formatCount } from '../../src/core/text/units.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { fileText } from '../shared/fileText.js';
import type { MenuItem } from '../shared/menuButton.js';
import '../shared/menuButton.js';
import { headerStyles } from '../shared/headerStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent, type PanelEvents } from './panelEvents.js';

/** Name, layout and step of what was inspected, and what can be done with the report. */
@customElement('stowage-report-header')
export class ReportHeader extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, headerStyles];

  @property({ attribute: false }) name = '';
  /** The whole path, for the title of the name. */
  @property({ attribute: false }) path = '';
  @property({ attribute: false }) subtitle = '';
  @property({ attribute: false }) exports: MenuItem[] = [];
  /** Of a checkpoint, which training saves again and again. */
  @property({ attribute: false }) isSaved = false;
  /** False where there is no one thing that storage could be planned for. */
  @property({ attribute: false }) isPlanned = true;
  /** While the same path is inspected again: how far it is, or true until that is known. The old report stays in place. */
  @property({ attribute: false }) refreshing: InspectionProgress | boolean = false;

  override render(): TemplateResult {
    return html`<header>
      <h1 class="wrap" title=${visibleText(this.path)}>${fileText(this.name)}</h1>
      <span class="muted num" role="status">${this.status()}</span>
      <div class="actions">
        ${
          this.refreshing === false
            ? html`<button class="quiet" @click=${() => emitPanelEvent(this, 'panel-refresh', null)}>
                <vscode-icon name="refresh" size="14"></vscode-icon>Refresh
              </button>`
            : html`<button class="quiet" @click=${() => emitPanelEvent(this, 'panel-cancel', null)}>
                <vscode-icon name="close" size="14"></vscode-icon>Cancel
              </button>`
        }
        ${
          this.isPlanned
            ? html`<button class="quiet" @click=${() => emitPanelEvent(this, 'panel-plan', null)}>
                <vscode-icon name="database" size="14"></vscode-icon>Plan storage
              </button>`
            : nothing
        }
        ${
          this.isSaved
            ? html`<button class="quiet" @click=${() => emitPanelEvent(this, 'panel-bandwidth', null)}>
                <vscode-icon name="dashboard" size="14"></vscode-icon>Check bandwidth
              </button>`
            : nothing
        }
        <stowage-menu-button
          label="Export"
          .items=${this.exports}
          @menu-choose=${(event: CustomEvent<PanelEvents['panel-export']>) => emitPanelEvent(this, 'panel-export', event.detail)}
        ></stowage-menu-button>
      </div>
    </header>`;
  }

  private status(): string {
    const { refreshing } = this;
    if (refreshing === false) return this.subtitle;
    if (refreshing === true) return 'Inspecting again';
    return `Inspecting again: ${formatCount(refreshing.filesDone)} of ${counted(refreshing.filesTotal, 'file')}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-report-header': ReportHeader;
  }
}
