import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { presetNames } from '../../src/core/planning/inputs/presetNames.js';
import { baseStyles } from '../shared/baseStyles.js';
import { emitPlannerEvent } from './plannerEvents.js';
import { inputStyles } from '../shared/inputStyles.js';

/** Fills the inputs with those of a model that is known. Nothing is asked: the editor can undo it. */
@customElement('stowage-preset-chooser')
export class PresetChooser extends LitElement {
  static override styles = [
    baseStyles,
    inputStyles,
    css`
      :host {
        margin-bottom: 14px;
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<div class="head"><label for="preset">Preset</label></div>
      <div class="frame">
        <select id="preset" @change=${this.onChoice}>
          <option value="">Fill in from a known model…</option>
          ${presetNames.map(({ id, label }) => html`<option value=${id}>${label}</option>`)}
        </select>
      </div>`;
  }

  private readonly onChoice = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    const preset = presetNames.find(({ id }) => id === select.value);
    // It fills inputs and is none itself: afterwards they may be changed.
    select.value = '';
    if (preset !== undefined) emitPlannerEvent(this, 'plan-preset', preset.id);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-preset-chooser': PresetChooser;
  }
}
