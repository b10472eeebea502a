import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { exportIds, planExports, type ExportId } from '../../src/core/pages/plan/planExports.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import type { MenuItem } from '../shared/menuButton.js';
import '../shared/menuButton.js';
import { headerStyles } from '../shared/headerStyles.js';
import { primaryButtonStyles } from '../shared/primaryButtonStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { emitPlannerEvent, type PlannerAction } from './plannerEvents.js';

const exports: MenuItem[] = exportIds.map((id) => ({ id, label: planExports[id].label }));

const menu: MenuItem[] = [
  { id: 'read-cluster', label: 'Read from this cluster…' },
  { id: 'open-text', label: 'Open as text' },
  { id: 'copy', label: 'Copy as Markdown' },
];

/** What the plan is called, whether it is saved, and what can be done with it. */
@customElement('stowage-planner-header')
export class PlannerHeader extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    headerStyles,
    primaryButtonStyles,
    css`
      .file {
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) fileName = '';
  @property({ attribute: false }) isChanged = false;
  /** Without a plan there is nothing to save. */
  @property({ attribute: false }) hasPlan = true;

  override render(): TemplateResult {
    return html`<header>
      <h1>Storage plan</h1>
      <span class="file muted wrap">${fileText(this.fileName)}${this.isChanged ? ' · changed' : ''}</span>
      ${this.hasPlan ? this.renderActions() : nothing}
    </header>`;
  }

  private renderActions(): TemplateResult {
    return html`<div class="actions">
      <button class="primary" @click=${() => this.ask('save')}>Save</button>
      <stowage-menu-button
        label="Export"
        .items=${exports}
        @menu-choose=${(event: CustomEvent<ExportId>) => emitPlannerEvent(this, 'plan-export', event.detail)}
      ></stowage-menu-button>
      <stowage-menu-button
        label="More"
        .items=${menu}
        @menu-choose=${(event: CustomEvent<PlannerAction>) => this.ask(event.detail)}
      ></stowage-menu-button>
    </div>`;
  }

  private ask(action: PlannerAction): void {
    emitPlannerEvent(this, 'plan-action', action);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-planner-header': PlannerHeader;
  }
}
