import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckPhase, CheckProgress } from '../../src/core/bandwidth/measurement.js';
import { shareOfCheck } from '../../src/core/bandwidth/checkShare.js';
import { progressChart } from '../../src/core/pages/bandwidth/bandwidthCharts.js';
import { shortRate, shortTime } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/chartView.js';
import { cssProperties } from '../shared/cssProperties.js';
import { primaryButtonStyles } from '../shared/primaryButtonStyles.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import type { Opened } from '../shared/openedState.js';
import { trackStyles } from '../shared/trackStyles.js';

/** A check that runs: its phase, how far it is, its rates so far, and the way out. */
@customElement('stowage-check-running')
export class RunningView extends LitElement {
  static override styles = [
    baseStyles,
    primaryButtonStyles,
    trackStyles,
    css`
      :host {
        max-width: 92ch;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 4px 18px;
      }
      .rate {
        font-size: var(--stowage-headline);
        font-weight: 600;
        letter-spacing: -0.2px;
        /* As wide as its widest number: what stands beside it does not move. */
        min-width: 7ch;
      }
      .track {
        height: 4px;
        margin: 12px 0 4px;
        border: 1px solid var(--vscode-contrastBorder, transparent);
      }
      .line .primary {
        margin-left: auto;
      }
      .state {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 2px 14px;
        margin-bottom: 14px;
      }
    `,
  ];

  @property({ attribute: false }) progress: readonly CheckProgress[] = [];
  /** That the check may take. */
  @property({ attribute: false }) seconds = 0;
  @property({ attribute: false }) isCancelling = false;
  @property({ attribute: false }) opened: Opened = {};

  override render(): TemplateResult {
    const { progress, isCancelling } = this;
    const last = progress.at(-1);
    const words = isCancelling ? 'Cancelling: what was written is being removed' : phaseInWords(last);
    return html`<section aria-labelledby="phase">
      <div class="line">
        <span class="rate num">${rateOf(last)}</span>
        <h2 id="phase">${words}</h2>
        <button class="primary" ?disabled=${isCancelling} @click=${() => emitBandwidthEvent(this, 'check-action', 'cancel')}>
          Cancel
        </button>
      </div>
      <div
        class="track"
        role="progressbar"
        aria-label="The whole check"
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.floor(100 * shareOfCheck(last))}
      >
        <div class="done" ${cssProperties({ '--done': `${(100 * shareOfCheck(last)).toFixed(2)}%` })}></div>
      </div>
      <p class="num muted state">
        <span>${doneInWords(last)}</span><span class="small">Escape cancels too. What was written is removed.</span>
      </p>
      <stowage-chart
        .chart=${progressChart(progress, secondsOf(last) ?? this.seconds)}
        .disclosure=${'table:progress'}
        .isOpen=${this.opened['table:progress'] === true}
      ></stowage-chart>
    </section>`;
  }
}

/** That all parts of the check may take. */
function secondsOf(progress: CheckProgress | undefined): number | null {
  if (progress === undefined) return null;
  const { checkSeconds, sweepSeconds, sustainedSeconds } = progress.parts;
  return checkSeconds + sweepSeconds + sustainedSeconds;
}

const phaseWords: Readonly<Record<CheckPhase, string>> = {
  preparing: 'Preparing',
  write: 'Writing',
  read: 'Reading back',
  metadata: 'Making small files',
  sweep: 'Sweeping numbers of streams',
  sustained: 'Measuring the sustained rate',
  removing: 'Removing what was written',
};

/** `Writing, repeat 2 of 3`. */
export function phaseInWords(progress: CheckProgress | undefined): string {
  if (progress === undefined) return phaseWords.preparing;
  const { phase, repeat, repeats } = progress;
  const words = phaseWords[phase];
  if (phase === 'sweep') return `${words}, run ${repeat} of ${repeats}`;
  return (phase === 'write' || phase === 'read') && repeats > 1 ? `${words}, repeat ${repeat} of ${repeats}` : words;
}

/** Those whose progress is counted in bytes. */
const bytePhases: ReadonlySet<CheckPhase> = new Set(['write', 'read', 'sweep', 'sustained']);

function rateOf(progress: CheckProgress | undefined): string {
  const rate = progress?.bytesPerSecond ?? null;
  return rate === null ? '–' : shortRate(rate);
}

function doneInWords(progress: CheckProgress | undefined): string {
  if (progress === undefined) return '0 s';
  const { phase, done, total, elapsedSeconds } = progress;
  const elapsed = shortTime(Math.round(elapsedSeconds * 10) / 10);
  if (bytePhases.has(phase)) return `${formatBytes(done)} of ${formatBytes(total)} · ${elapsed} since the start`;
  if (phase === 'metadata') return `${formatCount(done)} of ${formatCount(total)} small files · ${elapsed} since the start`;
  return `${elapsed} since the start`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-running': RunningView;
  }
}
