import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { namedSettings, readChanges } from '../../src/core/planning/inputs/inputText.js';
import { makePlan, type StoragePlan } from '../../src/core/planning/storagePlan.js';
import type { NamedPlan } from '../../src/core/planning/comparison.js';
import { comparisonPage } from '../../src/core/pages/plan/planComparison.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { renderProblem } from '../shared/inputFrame.js';
import { inputStyles } from '../shared/inputStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import '../shared/tableView.js';
import { emitPlannerEvent } from './plannerEvents.js';
import { mostAlternatives, mostAlternativeCharacters } from './plannerState.js';

/** The plan beside itself with other inputs: what each trains and costs, and which is the better buy. */
@customElement('stowage-plan-comparison')
export class ComparisonView extends LitElement {
  static override styles = [
    baseStyles,
    inputStyles,
    quietButtonStyles,
    css`
      section {
        padding: 16px 0 8px;
        border-top: 1px solid var(--stowage-line);
      }
      h2 {
        margin-bottom: 6px;
        font-size: var(--stowage-body);
        color: var(--stowage-muted);
      }
      form {
        display: flex;
        gap: 8px;
        max-width: 92ch;
        margin-bottom: 6px;
      }
      .frame {
        flex: 1;
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 14px;
        margin-bottom: 6px;
      }
      p {
        max-width: 92ch;
        margin: 6px 0;
        text-wrap: pretty;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) document!: PlanDocument;
  @property({ attribute: false }) plan!: StoragePlan;
  /** Inputs of the others, as they were written. */
  @property({ attribute: false }) alternatives: readonly string[] = [];
  @property({ attribute: false }) opened: Readonly<Record<string, boolean>> = {};
  @state() private problem: string | null = null;
  @query('input') private readonly field!: HTMLInputElement;

  override render(): TemplateResult {
    const { alternatives } = this;
    return html`<section aria-labelledby="title">
      <h2 id="title">Compare with other inputs</h2>
      <form @submit=${(event: Event) => this.add(event)}>
        <div class="frame ${this.problem === null ? '' : 'wrong'}">
          <input
            type="text"
            autocomplete="off"
            spellcheck="false"
            maxlength=${mostAlternativeCharacters}
            aria-label="Other inputs"
            aria-describedby=${this.problem === null ? 'hint' : 'hint problem'}
            aria-invalid=${this.problem !== null}
            placeholder="gpus=544 writeBytesPerSecond=10GB/s"
            ?disabled=${alternatives.length >= mostAlternatives}
          />
        </div>
        <button class="quiet" type="submit" ?disabled=${alternatives.length >= mostAlternatives}>Add</button>
      </form>
      <span id="hint" class="visually-hidden">Names of inputs as in the plan’s file, each with a value and its unit</span>
      ${renderProblem(this.problem)} ${alternatives.length === 0 ? nothing : this.renderComparison()}
    </section>`;
  }

  private renderComparison(): TemplateResult {
    const { decision, reasons, table } = comparisonPage([
      { name: 'this plan', plan: this.plan, given: this.document.inputs },
      ...this.others(),
    ]);
    return html`<ul aria-label="Compared with">
        ${this.alternatives.map(
          (text, index) =>
            html`<li>
              <span class="mono">${fileText(text)}</span>
              <button class="link" aria-label=${`Remove ${visibleText(text)}`} @click=${() => this.takeOut(index)}>remove</button>
            </li>`,
        )}
      </ul>
      ${[decision, ...reasons].map((text) => html`<p>${visibleText(text)}</p>`)}
      <stowage-table
        .table=${table}
        .disclosure=${`rows:${table.id}`}
        .isOpen=${this.opened[`rows:${table.id}`] === true}
      ></stowage-table>`;
  }

  /** What a page of another version wrote and this one cannot read is left out. */
  private others(): NamedPlan[] {
    return this.alternatives.flatMap((text) => {
      const read = readChanges(text);
      if ('problem' in read) return [];
      const inputs = { ...this.document.inputs, ...read.inputs };
      const { name } = namedSettings(text);
      return [{ name: name === '' ? text : name, given: inputs, plan: makePlan({ ...this.document, inputs }) }];
    });
  }

  private add(event: Event): void {
    event.preventDefault();
    const text = this.field.value.trim();
    if (text === '') return;
    const read = readChanges(text);
    this.problem = 'problem' in read ? read.problem : null;
    if (this.problem !== null) return;
    this.field.value = '';
    emitPlannerEvent(this, 'plan-alternatives', [...this.alternatives, text]);
  }

  private takeOut(at: number): void {
    emitPlannerEvent(
      this,
      'plan-alternatives',
      this.alternatives.filter((_, index) => index !== at),
    );
    this.field.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-comparison': ComparisonView;
  }
}
