import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { formatCount } from '../../src/core/text/units.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import type { ReportVerdict } from '../../src/core/pages/reportVerdict.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';
import { fileText } from '../shared/fileText.js';
import type { MenuItem } from '../shared/menuButton.js';
import '../shared/menuButton.js';
import { headerStyles } from '../shared/headerStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import './breadcrumb.js';
import { emitPanelEvent, type PanelEvents } from './panelEvents.js';
import { verdictIcon } from './severityIcons.js';
import { severityStyles } from '../shared/severityStyles.js';
import { Waiting } from '../shared/waiting.js';

/** A button of the header; where there is little room its icon alone. */
export interface HeaderAction {
  label: string;
  /** Name of a codicon. */
  icon: string;
  /** Gives way first: its icon alone in all but wide panels. */
  yields?: boolean;
  choose(): void;
}

/** Name, layout and step of what was inspected, and what can be done with the report. */
@customElement('stowage-report-header')
export class ReportHeader extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    severityStyles,
    headerStyles,
    css`
      /* Above the cells of tables, which are positioned as well. */
      @media (min-width: 700px) {
        :host {
          position: sticky;
          top: 0;
          z-index: 3;
          padding: 8px 0 6px;
          background: var(--vscode-editor-background);
        }
      }
      .status:empty {
        display: none;
      }
      /* Icons alone; their labels stay in the titles and for screen readers. */
      @media (max-width: 560px) {
        .quiet span {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }
      @media (max-width: 1400px) {
        .yields span {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }
      /* So that the table below is all that takes more than a line. */
      @media (max-width: 960px) {
        .line .quiet span {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        .line {
          flex-wrap: nowrap;
        }
        .line h1 {
          flex: 0 1 auto;
          max-width: 45%;
          overflow: hidden;
          text-overflow: ellipsis;
          white-space: nowrap;
        }
        .line .actions {
          flex: none;
          flex-wrap: nowrap;
        }
        /* The name stays whole before the verdict does. */
        .line .summary {
          flex-shrink: 1000;
        }
      }
      /* Name and actions take the whole line, the size and the verdict the next one. */
      @media (max-width: 560px) {
        .line {
          flex-wrap: wrap;
        }
        .line h1 {
          flex: 1 1 0;
          max-width: none;
        }
        .line .summary {
          flex: 1 0 100%;
          order: 1;
        }
      }
      .summary {
        display: flex;
        align-items: center;
        gap: 6px;
        min-width: 0;
        flex: 0 1 auto;
        overflow: hidden;
        white-space: nowrap;
      }
      .summary strong,
      .summary vscode-icon {
        flex: none;
      }
    `,
  ];

  @property({ attribute: false }) name = '';
  /** The whole path, for the title of the name. */
  @property({ attribute: false }) path = '';
  @property({ attribute: false }) subtitle = '';
  /** Where the headline makes room for a table: the size and the verdict, which then stand here. */
  @property({ attribute: false }) summary: { size: string; totalBytes: number; verdict: ReportVerdict } | null = null;
  /** Empty where there is nothing to choose from. */
  @property({ attribute: false }) exports: MenuItem[] = [];
  /** What can be done besides. */
  @property({ attribute: false }) actions: readonly HeaderAction[] = [];
  /** Of a checkpoint, which training saves again and again. */
  @property({ attribute: false }) isSaved = false;
  /** False where there is no one thing that storage could be planned for. */
  @property({ attribute: false }) isPlanned = true;
  /** While the same path is inspected again: how far it is, or true until that is known. The old report stays in place. */
  @property({ attribute: false }) refreshing: InspectionProgress | boolean = false;

  private readonly waiting = new Waiting(this);

  /** A second look that is over before anybody could read of it changes nothing. */
  private get isLong(): boolean {
    return this.refreshing !== false && this.waiting.stage === 'progress';
  }

  protected override willUpdate(): void {
    if (this.refreshing === false) this.waiting.end();
    else this.waiting.begin();
  }

  override render(): TemplateResult {
    return html`${this.summary === null ? html`<stowage-breadcrumb .path=${this.path}></stowage-breadcrumb>` : nothing}
      <header class=${this.summary === null ? '' : 'line'}>
        <h1 class="wrap" title=${visibleText(this.path)}>${fileText(this.name)}</h1>
        <span class="status muted num" role="status">${this.status()}</span>
        ${this.renderSummary()}
        <div class="actions">
          ${
            this.isLong
              ? renderAction({ label: 'Cancel', icon: 'close', choose: () => emitPanelEvent(this, 'panel-cancel', null) })
              : nothing
          }
          ${
            this.isPlanned
              ? renderAction({ label: 'Plan storage', icon: 'database', choose: () => emitPanelEvent(this, 'panel-plan', null) })
              : nothing
          }
          ${
            this.isSaved
              ? renderAction({
                  label: 'Check bandwidth',
                  icon: 'dashboard',
                  choose: () => emitPanelEvent(this, 'panel-bandwidth', null),
                })
              : nothing
          }
          ${this.actions.map(renderAction)} ${this.exports.length === 0 ? nothing : this.renderExports()}
        </div>
      </header>`;
  }

  private renderExports(): TemplateResult {
    return html`<stowage-menu-button
      label="Export"
      .items=${this.exports}
      @menu-choose=${(event: CustomEvent<PanelEvents['panel-export']>) => emitPanelEvent(this, 'panel-export', event.detail)}
    ></stowage-menu-button>`;
  }

  private renderSummary(): TemplateResult | typeof nothing {
    if (this.summary === null) return nothing;
    const { size, totalBytes, verdict } = this.summary;
    return html`<span class="summary num">
      <strong title=${exactBytes(totalBytes)}>${size}</strong> ${verdictIcon(verdict.severity, 14)}<span
        class="clip"
        title=${verdict.text}
        >${verdict.text}</span
      >
    </span>`;
  }

  private status(): string {
    const { refreshing } = this;
    if (refreshing === false || !this.isLong) return this.summary === null ? this.subtitle : '';
    if (refreshing === true) return 'Inspecting again';
    return `Inspecting again: ${formatCount(refreshing.filesDone)} of ${counted(refreshing.filesTotal, 'file')}`;
  }
}

function renderAction({ label, icon, yields = false, choose }: HeaderAction): TemplateResult {
  return html`<button class="quiet ${yields ? 'yields' : ''}" title=${label} @click=${choose}>
    <vscode-icon name=${icon} size="14"></vscode-icon><span>${label}</span>
  </button>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-report-header': ReportHeader;
  }
}
