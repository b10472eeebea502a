import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { InputOrigin } from '../../src/core/planning/inputs/planDocument.js';
import { meaningOfNull, type ChoiceField, type NumberField, type PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import type { PlanInputs, PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import { shownQuantity, withUnit } from '../../src/core/planning/inputs/quantity.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { describedBy, renderProblem, renderUnit } from '../shared/inputFrame.js';
import { inputStyles } from '../shared/inputStyles.js';
import { derivedText, readText, type ReadText } from '../shared/inputText.js';
import { originWords } from './originWords.js';
import { emitPlannerEvent, type InputValue } from './plannerEvents.js';

/** One input of a plan. A text that is no value stays with its problem, and the last good value in force. */
@customElement('stowage-plan-input')
export class PlanInput extends LitElement {
  static override styles = [baseStyles, inputStyles];

  @property({ attribute: false }) key!: PlanKey;
  /** Given, or the default. */
  @property({ attribute: false }) value: PlanInputs[PlanKey] = null;
  @property({ attribute: false }) isGiven = false;
  @property({ attribute: false }) origin: InputOrigin | undefined;
  /** What the plan uses where the value is null. */
  @property({ attribute: false }) derived: number | null = null;
  /** What is being typed, or was and is wrong; null where the input shows its value. */
  @state() private draft: string | null = null;

  /** A value from elsewhere (undo, a preset) takes the place of what was typed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.draft === null || !changed.has('value')) return;
    const reading = this.reading(this.draft);
    if ('problem' in reading || reading.value !== this.value) this.draft = null;
  }

  override render(): TemplateResult {
    const field: PlanField = planFields[this.key];
    if (field.kind === 'flag') return this.renderFlag(field.label, field.hint);
    return html`<div class="head"><label for="input" title=${field.hint}>${field.label}</label>${this.renderOrigin(field)}</div>
      ${field.kind === 'number' ? this.renderNumber(field) : this.renderChoice(field)}
      <span id="hint" class="visually-hidden">${field.hint}</span>`;
  }

  private renderOrigin(field: PlanField): TemplateResult {
    const derived = field.kind === 'number' && this.value === null ? meaningOfNull(field) : null;
    const { text, title, isAssumed } = originWords(this.origin, this.isGiven && this.value !== null, derived);
    const look = isAssumed ? 'assumed' : '';
    return html`${text === '' ? nothing : html`<span id="origin" class="origin ${look}" title=${visibleText(title)}>${fileText(text)}</span>`}
    ${
      this.isGiven
        ? html`<button
            type="button"
            class="reset link ${this.origin?.kind === 'set' ? '' : 'calm'}"
            title=${this.standardInWords(field)}
            aria-label=${`Reset ${field.label}: ${this.standardInWords(field)}`}
            @click=${() => this.reset()}
          >
            reset
          </button>`
        : nothing
    }`;
  }

  private renderNumber(field: NumberField): TemplateResult {
    const reading = this.draft === null ? null : readText(this.draft, field);
    const problem = reading !== null && 'problem' in reading ? reading.problem : null;
    const shown = typeof this.value === 'number' ? shownQuantity(this.value, field) : '';
    const isAssumed = !this.isGiven && this.value !== null;
    return html`<div class="frame ${problem === null ? '' : 'wrong'}">
        ${isAssumed ? html`<span class="tilde muted" aria-hidden="true">~</span>` : nothing}
        <input
          id="input"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck="false"
          class=${isAssumed ? 'standard' : ''}
          .value=${live(this.draft ?? shown)}
          placeholder=${this.derived === null ? '' : derivedText(this.derived, field)}
          aria-invalid=${problem !== null}
          aria-describedby=${describedBy(field.shown.unit, problem)}
          @input=${(event: Event) => this.onText((event.target as HTMLInputElement).value)}
          @blur=${() => this.onDone()}
          @keydown=${this.onKey}
        />
        ${renderUnit(field.shown.unit)}
      </div>
      ${renderProblem(problem)}`;
  }

  private renderChoice(field: ChoiceField): TemplateResult {
    return html`<div class="frame">
      <select id="input" class=${this.isGiven ? '' : 'standard'} aria-describedby="hint" @change=${this.onChoice}>
        ${field.choices.map(
          ({ value, label }) =>
            html`<option value=${value} ?selected=${value === this.value} .selected=${value === this.value}>${label}</option>`,
        )}
      </select>
    </div>`;
  }

  private renderFlag(label: string, hint: string): TemplateResult {
    return html`<div class="flag">
      <input id="input" type="checkbox" .checked=${live(this.value === true)} aria-describedby="hint" @change=${this.onFlag} />
      <label for="input" title=${hint}>${label}</label>
      <span id="hint" class="visually-hidden">${hint}</span>
    </div>`;
  }

  private standardInWords(field: PlanField): string {
    if (field.kind === 'flag') return field.standard ? 'back to yes' : 'back to no';
    if (field.kind === 'choice')
      return `back to ${field.choices.find(({ value }) => value === field.standard)?.label ?? field.standard}`;
    return field.standard === null
      ? `back to ${meaningOfNull(field) ?? 'nothing'}`
      : `back to ${withUnit(field.standard, field)}`;
  }

  private reading(text: string): ReadText {
    const field: PlanField = planFields[this.key];
    return field.kind === 'number' ? readText(text, field) : { problem: '' };
  }

  private onText(text: string): void {
    this.draft = text;
    const reading = this.reading(text);
    if ('value' in reading && reading.value !== this.value) this.tell(reading.value);
  }

  /** A text that was taken is shown as all values are; one that was not stays. */
  private onDone(): void {
    if (this.draft !== null && 'value' in this.reading(this.draft)) this.draft = null;
    emitPlannerEvent(this, 'plan-commit', null);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') this.onDone();
    else if (event.key === 'Escape' && this.draft !== null) this.draft = null;
    else return;
    event.preventDefault();
  };

  private readonly onChoice = (event: Event): void => {
    // The options are the field's own choices.
    this.tell((event.target as HTMLSelectElement).value);
    emitPlannerEvent(this, 'plan-commit', null);
  };

  private readonly onFlag = (event: Event): void => {
    this.tell((event.target as HTMLInputElement).checked);
    emitPlannerEvent(this, 'plan-commit', null);
  };

  private tell(value: InputValue): void {
    emitPlannerEvent(this, 'plan-input', { key: this.key, value });
  }

  private reset(): void {
    this.draft = null;
    this.renderRoot.querySelector<HTMLElement>('#input')?.focus();
    emitPlannerEvent(this, 'plan-reset', this.key);
    emitPlannerEvent(this, 'plan-commit', null);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-input': PlanInput;
  }
}
