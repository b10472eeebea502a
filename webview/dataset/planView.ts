import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { defaultReadPlan, isPlanNumber, readDemandOf, type ReadPlan } from '../../src/core/datasets/readDemand.js';
import { parseAmount } from '../../src/core/text/amounts.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { demandLines, demandSentence } from '../../src/core/pages/dataset/demandWords.js';
import { formatCount } from '../../src/core/text/units.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import type { PlanTexts } from '../panel/viewState.js';
import { baseStyles } from '../shared/baseStyles.js';
import { twoColumnStyles } from '../shared/twoColumnStyles.js';
import { planViewStyles } from './planViewStyles.js';

interface Input {
  key: keyof ReadPlan;
  label: string;
  unit: string;
  hint: string;
}

const inputs: readonly Input[] = [
  { key: 'tokensPerSecond', label: 'Speed of the whole job', unit: 'tokens/s', hint: 'all GPUs together' },
  { key: 'sequenceLength', label: 'Sequence length', unit: 'tokens', hint: 'one sample of a batch' },
  { key: 'trainingTokens', label: 'Tokens to train on', unit: 'tokens', hint: 'more than there are: several epochs' },
];

/** What a training run would read from this dataset: inputs on the left, answers on the right. */
@customElement('stowage-plan-view')
export class PlanView extends LitElement {
  static override styles = [baseStyles, twoColumnStyles, planViewStyles];

  @property({ attribute: false }) report!: DatasetReport;
  /** What was typed; an absent input has its default. */
  @property({ attribute: false }) texts: PlanTexts = {};

  override render(): TemplateResult {
    const plan = this.plan();
    return html`<div class="two">
      <form aria-label="Read load" @submit=${(event: Event) => event.preventDefault()}>
        ${inputs.map((input) => this.renderInput(input))}
        <p class="muted small">Numbers may end in k, M, B or T: 15T is 15,000,000,000,000.</p>
      </form>
      <section aria-label="What it reads" aria-live="polite">
        ${plan === null ? html`<p class="muted">Correct the numbers on the left to see what the run reads.</p>` : this.renderAnswers(plan)}
      </section>
    </div>`;
  }

  private renderInput({ key, label, unit, hint }: Input): TemplateResult {
    const standard = defaultReadPlan(this.report)[key];
    const text = this.texts[key] ?? (standard === null ? '' : formatCount(standard));
    const problem = this.amountOf(key) === undefined;
    return html`<div class="input">
      <label for=${key}>${label}</label>
      <div class="field">
        <input
          id=${key}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck="false"
          class="num"
          .value=${text}
          aria-invalid=${problem}
          aria-describedby=${`${key}-hint`}
          @input=${(event: Event) => this.onInput(key, (event.target as HTMLInputElement).value)}
        />
        <span class="muted">${unit}</span>
      </div>
      <p id=${`${key}-hint`} class="small ${problem ? 'problem' : 'muted'}">
        ${problem ? 'This is no number above 0.' : this.texts[key] === undefined && standard !== null ? `${hint}; a default` : hint}
      </p>
    </div>`;
  }

  private renderAnswers(plan: ReadPlan): TemplateResult {
    const demand = readDemandOf(this.report, plan);
    const isEstimate = this.report.tokens?.exact === false;
    return html`<dl>
        ${demandLines(demand).map(
          ({ label, value }) =>
            html`<div>
              <dt class="muted">${label}</dt>
              <dd class="num"><span class=${isEstimate && label === 'epochs' ? 'assumed' : ''}>${value}</span></dd>
            </div>`,
        )}
      </dl>
      <p class="sentence">${demandSentence(demand)}</p>
      ${
        this.report.shards.length < 2
          ? nothing
          : html`<p class="muted">
              The reads go to ${formatCount(this.report.shards.length)} shards; each worker that opens all of them holds as many
              open files.
            </p>`
      }`;
  }

  /** Null where an input is no number. */
  private plan(): ReadPlan | null {
    const tokensPerSecond = this.amountOf('tokensPerSecond');
    const sequenceLength = this.amountOf('sequenceLength');
    const trainingTokens = this.amountOf('trainingTokens');
    if (tokensPerSecond == null || sequenceLength == null || trainingTokens === undefined) return null;
    return { tokensPerSecond, sequenceLength, trainingTokens };
  }

  /** Undefined for what is no number, null for the tokens of a run that are left open. */
  private amountOf(key: keyof ReadPlan): number | null | undefined {
    const text = this.texts[key];
    if (text === undefined) return defaultReadPlan(this.report)[key];
    if (text.trim() === '' && key === 'trainingTokens') return null;
    const value = parseAmount(text);
    return value !== null && isPlanNumber(value) ? value : undefined;
  }

  private onInput(key: keyof ReadPlan, text: string): void {
    emitPanelEvent(this, 'panel-state', { plan: { ...this.texts, [key]: text } });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-plan-view': PlanView;
  }
}
