import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CheckPreview } from '../../src/core/bandwidth/checkPreview.js';
import { shortRepeat } from '../../src/core/bandwidth/shortRepeats.js';
import { checkErrorInWords } from '../../src/core/pages/bandwidth/checkErrorWords.js';
import { fileSystemLines } from '../../src/core/pages/bandwidth/bandwidthTables.js';
import { fileSystemReport } from '../../src/core/bandwidth/fileSystemReport.js';
import {
  otherCheckInWords,
  previewLines,
  shortRepeatInWords,
  warningInWords,
} from '../../src/core/pages/bandwidth/previewLines.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { primaryButtonStyles } from '../shared/primaryButtonStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import { factListStyles, renderFacts } from './factList.js';
import { noticeStyles } from './noticeStyles.js';

/** What will be written, and the storage below it. */
const rows: readonly SkeletonRow[] = [{ heightPx: 96, afterPx: 20 }, { heightPx: 34, afterPx: 24 }, { heightPx: 120 }];

/** Exactly what a check would write and where, what lies under it, and the button that starts it. */
@customElement('stowage-check-preview')
export class PreviewView extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    primaryButtonStyles,
    noticeStyles,
    factListStyles,
    css`
      :host {
        max-width: 92ch;
      }
      section {
        margin-bottom: 18px;
      }
      h2 {
        margin-bottom: 6px;
      }
      .lines li {
        margin: 4px 0;
        overflow-wrap: anywhere;
        text-wrap: pretty;
      }
      .lines li:first-child {
        font-size: var(--stowage-large);
        font-weight: 600;
        line-height: 1.5;
      }
      .meaning {
        margin-bottom: 6px;
        text-wrap: pretty;
      }
      .act {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 8px 14px;
        margin-top: 12px;
      }
    `,
  ];

  /** Null until the first answer. */
  @property({ attribute: false }) preview: CheckPreview | null = null;
  /** Why there is no answer; empty where there is one. */
  @property({ attribute: false }) problem = '';
  /** The answer is of settings that have changed since. */
  @property({ attribute: false }) isStale = false;
  @property({ attribute: false }) isStarting = false;
  /** The fastest phase of the last check here, in bytes a second; null without one. */
  @property({ attribute: false }) measuredBytesPerSecond: number | null = null;

  override render(): TemplateResult {
    const { preview, problem } = this;
    if (problem !== '')
      return html`<section class="notice error" role="alert">
        <p class="wrap"><vscode-icon name="error" size="16"></vscode-icon>${visibleText(problem)}</p>
        <button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-action', 'preview')}>Look again</button>
      </section>`;
    if (preview === null) return html`<stowage-skeleton .rows=${rows} words="Looking at the directory"></stowage-skeleton>`;
    return html`${this.renderPlanned(preview)} ${this.renderOthers(preview)} ${this.renderFileSystem(preview)}`;
  }

  private renderPlanned(preview: CheckPreview): TemplateResult {
    const { refusal, warnings } = preview;
    if (refusal !== null)
      return html`<section class="notice error" role="alert">
        <p class="wrap">
          <vscode-icon name="error" size="16"></vscode-icon>${visibleText(checkErrorInWords(refusal.code, refusal.detail))}
        </p>
      </section>`;
    return html`<section aria-labelledby="planned">
      <h2 id="planned">What will be written</h2>
      <ul class="lines">
        ${previewLines(preview).map((line) => html`<li><bdi>${visibleText(line)}</bdi></li>`)}
      </ul>
      ${this.renderShort(preview)}
      ${warnings.map(
        (warning) =>
          html`<p class="notice wrap">
            <vscode-icon name="warning" size="16"></vscode-icon>${visibleText(warningInWords(warning))}
          </p>`,
      )}
      <div class="act">
        <button
          class="primary"
          ?disabled=${this.isStale || this.isStarting}
          @click=${() => emitBandwidthEvent(this, 'check-action', 'start')}
        >
          Start check
        </button>
        ${warnings.length === 0 ? nothing : html`<span class="muted small">Needs a second confirmation.</span>`}
      </div>
    </section>`;
  }

  private renderShort({ request }: CheckPreview): TemplateResult | typeof nothing {
    const seconds = request === null ? null : shortRepeat(request, this.measuredBytesPerSecond);
    if (seconds === null) return nothing;
    return html`<p class="notice wrap">
      <vscode-icon name="warning" size="16"></vscode-icon>${visibleText(shortRepeatInWords(seconds))}
    </p>`;
  }

  private renderOthers({ facts }: CheckPreview): TemplateResult | typeof nothing {
    if (facts.others.length === 0) return nothing;
    return html`<section aria-labelledby="others">
      <h2 id="others">Other checks in this directory</h2>
      ${facts.others.map(
        (other) =>
          html`<div class="notice">
            <p class="wrap">
              <vscode-icon name="warning" size="16"></vscode-icon><bdi>${visibleText(otherCheckInWords(other))}</bdi>
            </p>
            ${
              other.state === 'left'
                ? html`<button class="quiet" @click=${() => emitBandwidthEvent(this, 'check-remove-left', other.path)}>
                    Remove<span class="visually-hidden"> ${visibleText(other.path)}</span>
                  </button>`
                : nothing
            }
          </div>`,
      )}
    </section>`;
  }

  private renderFileSystem({ facts }: CheckPreview): TemplateResult {
    const fileSystem = fileSystemReport(facts.fileSystem);
    return html`<section aria-labelledby="below">
      <h2 id="below">Storage</h2>
      <p class="meaning">${fileSystem.meaning}</p>
      ${renderFacts(fileSystemLines(fileSystem))}
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-preview': PreviewView;
  }
}
