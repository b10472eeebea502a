import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ComparePanelEvents, ComparisonState, InspectionProgress } from '../../src/protocol/messages.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { progressTrackStyles, renderTrack } from '../panel/progressTrack.js';
import '../panel/reportHeader.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/skeleton.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import { Waiting } from '../shared/waiting.js';

const rows: readonly SkeletonRow[] = [{ heightPx: 84 }, { heightPx: 280 }];

/** The panel while there is no comparison: under way, cancelled, or why there is none. */
@customElement('stowage-compare-pending')
export class ComparePending extends LitElement {
  static override styles = [
    baseStyles,
    progressTrackStyles,
    css`
      .progress {
        min-height: 96px;
      }
      stowage-headline {
        margin: 8px 0;
      }
    `,
  ];

  @property({ attribute: false }) sides!: ComparePanelEvents['sides'];
  @property({ attribute: false }) state!: Exclude<ComparisonState, { kind: 'done' }>;
  private readonly waiting = new Waiting(this);

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('state')) return;
    if (this.state.kind === 'running') this.waiting.begin();
    else this.waiting.end();
  }

  override render(): TemplateResult {
    const { a, b } = this.sides;
    return html`<stowage-report-header .name=${`${a.name} ↔ ${b.name}`} .isPlanned=${false}></stowage-report-header>
      ${this.renderState()}`;
  }

  private renderState(): TemplateResult {
    const { state } = this;
    if (state.kind === 'running')
      return html`<div class="progress">${this.waiting.stage === 'progress' ? this.renderProgress(state.progress) : nothing}</div>
        <stowage-skeleton .rows=${rows}></stowage-skeleton>`;
    const verdict =
      state.kind === 'none'
        ? { severity: 'note' as const, text: 'The comparison was cancelled.', more: '' }
        : { severity: 'error' as const, text: 'Not compared:', more: visibleText(state.message) };
    return html`<stowage-headline .verdict=${verdict}></stowage-headline>
      <div class="buttons">
        <vscode-button @click=${() => emitPanelEvent(this, 'panel-refresh', null)}>Compare again</vscode-button>
      </div>`;
  }

  private renderProgress(progress: InspectionProgress | null): TemplateResult {
    return renderTrack({
      label: 'Comparison',
      share: shareOf(progress),
      text: progress === null ? 'Beginning to inspect both' : progressWords(progress),
      onCancel: () => emitPanelEvent(this, 'panel-cancel', null),
    });
  }
}

function shareOf(progress: InspectionProgress | null): number | null {
  return progress === null || progress.filesTotal === 0 ? null : progress.filesDone / progress.filesTotal;
}

function progressWords({ filesDone, filesTotal }: InspectionProgress): string {
  return `Inspecting A and B: ${formatCount(filesDone)} of ${counted(filesTotal, 'file')}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-compare-pending': ComparePending;
  }
}
