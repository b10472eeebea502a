import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { shownQuantity } from '../../src/core/planning/inputs/quantity.js';
import { baseStyles } from '../shared/baseStyles.js';
import { describedBy, renderProblem, renderUnit } from '../shared/inputFrame.js';
import { inputStyles } from '../shared/inputStyles.js';
import { derivedText, readText } from '../shared/inputText.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import { settingFields, type AmountKey } from './settingFields.js';

/** One number of a check's settings. A text that is no value stays with its problem, and the check waits. */
@customElement('stowage-setting-input')
export class SettingInput extends LitElement {
  static override styles = [baseStyles, inputStyles];

  @property({ attribute: false }) key!: AmountKey;
  @property({ attribute: false }) value: number | null = null;
  /** What is used where the value is null. */
  @property({ attribute: false }) derived: number | null = null;
  /** What is being typed, or was and is wrong; null where the input shows its value. */
  @state() private draft: string | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.draft === null || !changed.has('value')) return;
    const reading = readText(this.draft, settingFields[this.key]);
    if ('problem' in reading || reading.value !== this.value) this.draft = null;
  }

  override render(): TemplateResult {
    const field = settingFields[this.key];
    const reading = this.draft === null ? null : readText(this.draft, field);
    const problem = reading !== null && 'problem' in reading ? reading.problem : null;
    const { unit } = field.shown;
    return html`<div class="head"><label for="input" title=${field.hint}>${field.label}</label></div>
      <div class="frame ${problem === null ? '' : 'wrong'}">
        <input
          id="input"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck="false"
          .value=${live(this.draft ?? (this.value === null ? '' : shownQuantity(this.value, field)))}
          placeholder=${this.derived === null ? '' : derivedText(this.derived, field)}
          aria-invalid=${problem !== null}
          aria-describedby=${describedBy(unit, problem)}
          @input=${(event: Event) => this.onText((event.target as HTMLInputElement).value)}
          @blur=${() => this.onDone()}
          @keydown=${this.onKey}
        />
        ${renderUnit(unit)}
      </div>
      ${renderProblem(problem)}
      <span id="hint" class="visually-hidden">${field.hint}</span>`;
  }

  private onText(text: string): void {
    this.draft = text;
    const reading = readText(text, settingFields[this.key]);
    emitBandwidthEvent(this, 'check-problem', { key: this.key, isWrong: 'problem' in reading });
    if ('value' in reading && reading.value !== this.value)
      emitBandwidthEvent(this, 'check-settings', { [this.key]: reading.value });
  }

  /** A text that was taken is shown as all values are; one that was not stays. */
  private onDone(): void {
    if (this.draft !== null && 'value' in readText(this.draft, settingFields[this.key])) this.draft = null;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') this.onDone();
    else if (event.key === 'Escape' && this.draft !== null) {
      this.draft = null;
      emitBandwidthEvent(this, 'check-problem', { key: this.key, isWrong: false });
    } else return;
    event.preventDefault();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-setting-input': SettingInput;
  }
}
