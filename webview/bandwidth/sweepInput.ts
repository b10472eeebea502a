import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { problemOfSweep, sweepOrder } from '../../src/core/bandwidth/sweep/sweepRequest.js';
import { baseStyles } from '../shared/baseStyles.js';
import { describedBy, renderProblem } from '../shared/inputFrame.js';
import { inputStyles } from '../shared/inputStyles.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import { readStreams } from './readStreams.js';

/** The numbers of streams of a sweep, as a list. A text that is none stays with its problem, and the check waits. */
@customElement('stowage-sweep-input')
export class SweepInput extends LitElement {
  static override styles = [
    baseStyles,
    inputStyles,
    css`
      :host {
        display: block;
      }
    `,
  ];

  @property({ attribute: false }) streams: readonly number[] = [];
  /** What is being typed, or was and is wrong; null where the input shows its value. */
  @state() private draft: string | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.draft === null || !changed.has('streams')) return;
    const read = readStreams(this.draft);
    if (read === null || read.join() !== this.streams.join()) this.draft = null;
  }

  override render(): TemplateResult {
    const problem = this.draft === null ? null : problemOf(this.draft);
    return html`<div class="head"><label for="input">Streams of the sweep</label></div>
      <div class="frame ${problem === null ? '' : 'wrong'}">
        <input
          id="input"
          type="text"
          autocomplete="off"
          spellcheck="false"
          .value=${live(this.draft ?? this.streams.join(', '))}
          aria-invalid=${problem !== null}
          aria-describedby=${describedBy('', problem)}
          @input=${(event: Event) => this.onText((event.target as HTMLInputElement).value)}
          @blur=${() => this.onDone()}
          @keydown=${this.onKey}
        />
      </div>
      ${renderProblem(problem)}
      <span id="hint" class="visually-hidden">numbers with commas between them</span>`;
  }

  private onText(text: string): void {
    this.draft = text;
    const streams = readStreams(text);
    const isWrong = problemOf(text) !== null;
    emitBandwidthEvent(this, 'check-problem', { key: 'sweepStreams', isWrong });
    if (!isWrong && streams !== null && streams.join() !== this.streams.join())
      emitBandwidthEvent(this, 'check-settings', { sweepStreams: streams });
  }

  /** A text that was taken is shown in its order; one that was not stays. */
  private onDone(): void {
    if (this.draft === null || problemOf(this.draft) !== null) return;
    const order = sweepOrder(this.streams);
    this.draft = null;
    if (order.join() !== this.streams.join()) emitBandwidthEvent(this, 'check-settings', { sweepStreams: order });
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') this.onDone();
    else if (event.key === 'Escape' && this.draft !== null) {
      this.draft = null;
      emitBandwidthEvent(this, 'check-problem', { key: 'sweepStreams', isWrong: false });
    } else return;
    event.preventDefault();
  };
}

/** What is wrong with a text, as a sentence; null where nothing is. */
function problemOf(text: string): string | null {
  const streams = readStreams(text);
  if (streams === null) return 'Write numbers with commas, like 1, 2, 4, 8.';
  const problem = problemOfSweep(streams);
  return problem === null ? null : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-sweep-input': SweepInput;
  }
}
