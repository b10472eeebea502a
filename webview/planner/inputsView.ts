import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { derivedInput } from '../../src/core/planning/inputs/derivedInputs.js';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { fieldGroups, type FieldGroup, type PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, type PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import type { StoragePlan } from '../../src/core/planning/storagePlan.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { emitDisclosure } from '../shared/disclosure.js';
import './planInput.js';
import './presetChooser.js';

const groupTitles: Readonly<Record<FieldGroup, string>> = {
  model: 'Model',
  cluster: 'Cluster',
  saving: 'Saving',
  failures: 'Failures',
  tiers: 'Storage',
  restore: 'Restore',
  retention: 'Retention',
  data: 'Training data',
  memory: 'Memory',
};

/** All inputs in groups. What is rarely set is behind a button, unless it is set. */
@customElement('stowage-plan-inputs')
export class InputsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      section {
        margin-bottom: 4px;
      }
      section.open {
        margin-bottom: 14px;
      }
      h2 {
        font-size: 1em;
      }
      .title {
        display: flex;
        align-items: center;
        gap: 4px;
        width: 100%;
        padding: 4px 0;
        font-weight: 600;
        border-radius: 2px;
      }
      .title:hover {
        background: var(--stowage-hover);
      }
      .more {
        font-size: var(--stowage-small);
        padding: 2px 0;
      }
    `,
  ];

  @property({ attribute: false }) document!: PlanDocument;
  @property({ attribute: false }) plan!: StoragePlan;
  /** What was opened or closed by hand. */
  @property({ attribute: false }) opened: Readonly<Record<string, boolean>> = {};
  /** Whether groups are open until they are closed by hand. */
  @property({ attribute: false }) isRoomy = true;

  override render(): TemplateResult {
    return html`<form aria-label="Inputs" @submit=${(event: Event) => event.preventDefault()}>
      <stowage-preset-chooser></stowage-preset-chooser>
      ${fieldGroups.map((group) => this.renderGroup(group))}
    </form>`;
  }

  private renderGroup(group: FieldGroup): TemplateResult {
    const id = `group:${group}`;
    const isOpen = this.opened[id] ?? (this.isRoomy || group === 'model');
    return html`<section class=${isOpen ? 'open' : ''}>
      <h2>
        <button type="button" class="title" aria-expanded=${isOpen} @click=${() => emitDisclosure(this, { id, isOpen: !isOpen })}>
          <vscode-icon name=${isOpen ? 'chevron-down' : 'chevron-right'} size="14"></vscode-icon>${groupTitles[group]}
        </button>
      </h2>
      ${isOpen ? this.renderFields(group) : nothing}
    </section>`;
  }

  private renderFields(group: FieldGroup): TemplateResult {
    const keys = planKeys.filter((key) => planFields[key].group === group);
    const rare = keys.filter((key) => this.isHidden(key));
    const id = `more:${group}`;
    const isOpen = this.opened[id] === true;
    return html`${keys.filter((key) => isOpen || !rare.includes(key)).map((key) => this.renderInput(key))}
    ${
      rare.length === 0
        ? nothing
        : html`<button
            type="button"
            class="more link"
            aria-expanded=${isOpen}
            @click=${() => emitDisclosure(this, { id, isOpen: !isOpen })}
          >
            ${isOpen ? 'fewer' : `more: ${counted(rare.length, 'input')}`}<span class="visually-hidden">
              of ${groupTitles[group]}</span
            >
          </button>`
    }`;
  }

  private isHidden(key: PlanKey): boolean {
    const field: PlanField = planFields[key];
    return field.rare === true && this.document.inputs[key] === undefined;
  }

  private renderInput(key: PlanKey): TemplateResult {
    const value = this.plan.inputs[key];
    return html`<stowage-plan-input
      .key=${key}
      .value=${value}
      .isGiven=${this.document.inputs[key] !== undefined}
      .origin=${this.document.origins[key]}
      .derived=${value === null ? derivedInput(key, this.plan) : null}
    ></stowage-plan-input>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-inputs': InputsView;
  }
}
