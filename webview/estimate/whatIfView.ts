import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { EstimateReport } from '../../src/core/estimates/estimateReport.js';
import {
  whatIfFields,
  whatIfResults,
  type WhatIfChanges,
  type WhatIfField,
  type WhatIfId,
} from '../../src/core/pages/estimate/whatIf.js';
import { emitDisclosure } from '../shared/disclosure.js';
import { baseStyles } from '../shared/baseStyles.js';
import { inputStyles } from '../shared/inputStyles.js';
import { emitEstimateEvent } from './estimateEvents.js';

/** Keys that decide most, to try other values of, and what each comes to. Nothing of it is written to the config. */
@customElement('stowage-what-if')
export class WhatIfView extends LitElement {
  static override styles = [
    baseStyles,
    inputStyles,
    css`
      :host {
        display: block;
        margin-bottom: 14px;
      }
      .fields {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 24px;
        margin: 8px 0;
      }
      .field {
        flex: 0 1 180px;
        min-width: 140px;
      }
      input[type='range'] {
        width: 100%;
        margin: 4px 0;
        accent-color: var(--vscode-focusBorder);
      }
      output {
        margin-left: auto;
        color: var(--stowage-muted);
        font-variant-numeric: tabular-nums;
      }
      output.changed {
        color: inherit;
      }
      dl {
        display: grid;
        grid-template-columns: max-content max-content 1fr;
        gap: 2px 16px;
        margin: 0 0 8px;
        font-size: var(--stowage-small);
      }
      dt {
        color: var(--stowage-muted);
      }
      dd {
        margin: 0;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) report!: EstimateReport;
  /** With the changes; null until it is there. */
  @property({ attribute: false }) changed: EstimateReport | null = null;
  @property({ attribute: false }) isOpen = false;
  @state() private chosen: ReadonlyMap<WhatIfId, string | number> = new Map();

  /** The config itself has changed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report') && this.chosen.size > 0) this.change(new Map());
  }

  override render(): TemplateResult | typeof nothing {
    const fields = whatIfFields(this.report);
    if (fields.length === 0) return nothing;
    return html`<section aria-labelledby="title">
      <button
        class="link"
        id="title"
        aria-expanded=${this.isOpen}
        @click=${() => emitDisclosure(this, { id: 'what-if', isOpen: !this.isOpen })}
      >
        What if …
      </button>
      ${this.isOpen ? this.renderOpen(fields) : nothing}
    </section>`;
  }

  private renderOpen(fields: readonly WhatIfField[]): TemplateResult {
    return html`<div class="fields">${fields.map((field) => this.renderField(field))}</div>
      <div role="status">${this.changed === null ? nothing : this.renderResults(this.changed)}</div>`;
  }

  private renderField(field: WhatIfField): TemplateResult {
    const at = this.placeOf(field);
    const step = field.steps[at];
    const isChanged = this.chosen.has(field.id);
    return html`<div class="field">
      <div class="head">
        <label for=${field.id}>${field.label}</label>
        ${field.kind === 'slider' ? html`<output for=${field.id} class=${isChanged ? 'changed' : ''}>${step?.label ?? ''}</output>` : nothing}
      </div>
      ${field.kind === 'slider' ? this.renderSlider(field, at) : this.renderChoice(field, at)}
    </div>`;
  }

  private renderSlider(field: WhatIfField, at: number): TemplateResult {
    return html`<input
      type="range"
      id=${field.id}
      min="0"
      max=${field.steps.length - 1}
      step="1"
      .value=${String(at)}
      aria-valuetext=${field.steps[at]?.label ?? ''}
      @input=${(event: Event) => this.choose(field, Number((event.target as HTMLInputElement).value))}
    />`;
  }

  private renderChoice(field: WhatIfField, at: number): TemplateResult {
    return html`<div class="frame">
      <select id=${field.id} @change=${(event: Event) => this.choose(field, (event.target as HTMLSelectElement).selectedIndex)}>
        ${field.steps.map(({ label }, index) => html`<option .selected=${index === at}>${label}</option>`)}
      </select>
    </div>`;
  }

  private renderResults(changed: EstimateReport): TemplateResult {
    return html`<dl>
        ${whatIfResults(this.report, changed).map(
          ({ label, before, after, factor }) =>
            html`<dt>${label}</dt>
              <dd>${after}</dd>
              <dd>${factor === '' ? 'as it is' : `instead of ${before}, ${factor} as much`}</dd>`,
        )}
      </dl>
      <button class="link" @click=${() => this.change(new Map())}>As the config has it</button>`;
  }

  private placeOf({ id, steps }: WhatIfField): number {
    const value = this.chosen.get(id) ?? null;
    return Math.max(
      0,
      steps.findIndex((step) => step.value === value),
    );
  }

  private choose({ id, steps }: WhatIfField, at: number): void {
    const value = steps[at]?.value ?? null;
    const chosen = new Map(this.chosen);
    if (value === null) chosen.delete(id);
    else chosen.set(id, value);
    this.change(chosen);
  }

  private change(chosen: ReadonlyMap<WhatIfId, string | number>): void {
    this.chosen = chosen;
    // The steps of each field are of its own type.
    emitEstimateEvent(this, 'estimate-what-if', chosen.size === 0 ? null : (Object.fromEntries(chosen) as WhatIfChanges));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-what-if': WhatIfView;
  }
}
