import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { cssProperties } from '../shared/cssProperties.js';
import { fileText } from '../shared/fileText.js';
import { emitPanelEvent } from './panelEvents.js';
import { trackStyles } from '../shared/trackStyles.js';

const slowAfterMs = 3000;
const announceEveryMs = 4000;

/** How far an inspection is: "18 of 64 files", the file that is being read, how long it has been at it, and a way out. */
@customElement('stowage-progress-line')
export class ProgressLine extends LitElement {
  static override styles = [
    baseStyles,
    trackStyles,
    css`
      .line {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 2px 12px;
        align-items: center;
        margin-top: 8px;
        min-height: 48px;
      }
      .track {
        grid-column: 1 / -1;
      }
    `,
  ];

  @property({ attribute: false }) progress: InspectionProgress | null = null;
  @state() private slowSeconds = 0;
  @state() private announced = '';
  private fileSince = 0;
  private announcedAt = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.fileSince = Date.now();
    this.timer = setInterval(() => this.tick(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('progress') && changed.get('progress')?.file !== this.progress?.file) {
      this.fileSince = Date.now();
      this.slowSeconds = 0;
    }
  }

  override render(): TemplateResult {
    const { progress } = this;
    const { done, total, words } = stepsOf(progress);
    const share = total === 0 ? 0 : done / total;
    return html`<div class="line">
      <div
        class="track"
        role="progressbar"
        aria-label="Inspection"
        aria-valuemin="0"
        aria-valuemax=${total}
        aria-valuenow=${progress === null ? nothing : done}
      >
        <div class="done" ${cssProperties({ '--done': `${(share * 100).toFixed(2)}%` })}></div>
      </div>
      <div class="clip num">
        ${
          progress === null
            ? html`<span class="muted">Listing files</span>`
            : html`${words}
                <span class="muted">
                  · ${formatBytes(progress.bytesRead)} read ·
                  <span class="mono">${fileText(progress.file)}</span>${this.renderSlow()}</span
                >`
        }
      </div>
      <vscode-button secondary @click=${() => emitPanelEvent(this, 'panel-cancel', null)}>Cancel</vscode-button>
      <span class="visually-hidden" role="status">${this.announced}</span>
    </div>`;
  }

  private renderSlow(): string {
    return this.slowSeconds === 0 ? '' : ` · at it for ${this.slowSeconds} s`;
  }

  private tick(): void {
    const waited = Date.now() - this.fileSince;
    this.slowSeconds = waited < slowAfterMs ? 0 : Math.round(waited / 1000);
    if (this.progress === null || Date.now() - this.announcedAt < announceEveryMs) return;
    this.announcedAt = Date.now();
    this.announced = stepsOf(this.progress).words;
  }
}

/** What is counted: files, or the places of raw text that are looked at after them. */
function stepsOf(progress: InspectionProgress | null): { done: number; total: number; words: string } {
  if (progress === null) return { done: 0, total: 0, words: '' };
  const { filesDone, filesTotal, sampling } = progress;
  if (sampling === undefined)
    return { done: filesDone, total: filesTotal, words: `${formatCount(filesDone)} of ${counted(filesTotal, 'file')}` };
  const { placesDone, placesTotal } = sampling;
  const words = `Sampling text: ${formatCount(placesDone)} of ${counted(placesTotal, 'place')}`;
  return { done: placesDone, total: placesTotal, words };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-progress-line': ProgressLine;
  }
}
