import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { derivedInput } from '../../src/core/planning/inputs/derivedInputs.js';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { inputOrigin } from '../../src/core/planning/inputs/inputOrigin.js';
import { fieldGroups, type FieldGroup, type PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, type PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import type { StoragePlan } from '../../src/core/planning/storagePlan.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { emitDisclosure } from '../shared/disclosure.js';
import { groupSummary } from './groupSummary.js';
import './planInput.js';
import './presetChooser.js';

/** What decides most of a plan, and is asked of everybody. */
const essentials: readonly PlanKey[] = ['parameters', 'gpus', 'recipe', 'store', 'intervalSeconds'];

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

/** All inputs: the essential ones, then groups that are folded to their values. What is rarely set is behind a button, unless it is set. */
@customElement('stowage-plan-inputs')
export class InputsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      section {
        border-top: 1px solid var(--stowage-line);
      }
      section.open {
        padding-bottom: 6px;
      }
      h2 {
        font-size: var(--stowage-body);
      }
      .title {
        display: grid;
        grid-template-columns: auto auto minmax(0, 1fr);
        align-items: center;
        gap: 4px;
        width: 100%;
        padding: 6px 0;
        border-radius: 2px;
      }
      .name {
        font-weight: 600;
      }
      .summary {
        padding-left: 4px;
        font-weight: 400;
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

  override render(): TemplateResult {
    return html`<form aria-label="Inputs" @submit=${(event: Event) => event.preventDefault()}>
      <stowage-preset-chooser></stowage-preset-chooser>
      ${essentials.map((key) => this.renderInput(key))} ${fieldGroups.map((group) => this.renderGroup(group))}
    </form>`;
  }

  private renderGroup(group: FieldGroup): TemplateResult {
    const id = `group:${group}`;
    const isOpen = this.opened[id] === true;
    const values = groupSummary(group, this.plan);
    return html`<section class=${isOpen ? 'open' : ''}>
      <h2>
        <button type="button" class="title" aria-expanded=${isOpen} @click=${() => emitDisclosure(this, { id, isOpen: !isOpen })}>
          <vscode-icon name=${isOpen ? 'chevron-down' : 'chevron-right'} size="14"></vscode-icon
          ><span class="name">${groupTitles[group]}</span> ${
            isOpen ? nothing : html`<span class="summary muted small num clip" title=${values}>${values}</span>`
          }
        </button>
      </h2>
      ${isOpen ? this.renderFields(group) : nothing}
    </section>`;
  }

  private renderFields(group: FieldGroup): TemplateResult {
    const keys = planKeys.filter((key) => planFields[key].group === group && !essentials.includes(key));
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
            ${isOpen ? 'Show fewer inputs' : `Show ${counted(rare.length, 'more input', 'more inputs')}`}<span
              class="visually-hidden"
            >
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
      .origin=${inputOrigin(this.document, key)}
      .derived=${value === null ? derivedInput(key, this.plan) : null}
    ></stowage-plan-input>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-inputs': InputsView;
  }
}
