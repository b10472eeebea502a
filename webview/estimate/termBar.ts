import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { SizeTermName } from '../../src/core/estimates/checkpointSize.js';
import type { EstimatedCheckpoint } from '../../src/core/estimates/estimateReport.js';
import { termInWords } from '../../src/core/estimates/estimateWords.js';
import { baseStyles } from '../shared/baseStyles.js';
import type { FillId } from '../shared/componentColor.js';
import type { BarPart } from '../shared/stackedBar.js';
import '../shared/stackedBar.js';
import { emitEstimateEvent } from './estimateEvents.js';

/** A part of a checkpoint looks as the component that it becomes. */
const fillOfTerm: Readonly<Record<SizeTermName, FillId>> = {
  weights: 'weights',
  masterWeights: 'masterWeights',
  firstMoment: 'firstMoment',
  secondMoment: 'secondMoment',
  otherState: 'optimizer',
  exportedWeights: 'weights',
  ema: 'ema',
  gradients: 'gradients',
};

/** The bar under the headline: the bytes of a checkpoint as the sum of its terms. */
@customElement('stowage-term-bar')
export class TermBar extends LitElement {
  static override styles = baseStyles;

  @property({ attribute: false }) checkpoint!: EstimatedCheckpoint;

  override render(): TemplateResult {
    const parts = this.checkpoint.terms.map(({ name, dtype, bytes }): BarPart => ({
      label: `${termInWords(name)} (${dtype})`,
      bytes: bytes ?? 0,
      fill: fillOfTerm[name],
      hint: 'show where it comes from',
      choose: () => emitEstimateEvent(this, 'estimate-tab', 'terms'),
    }));
    return html`<stowage-stacked-bar
      label="Bytes of a checkpoint"
      .parts=${parts}
      .total=${this.checkpoint.bytes ?? 0}
    ></stowage-stacked-bar>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-term-bar': TermBar;
  }
}
