import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { notReadSentence, tensorValuesPage } from '../../src/core/pages/values/tensorValuesPage.js';
import type { TensorDetail } from '../../src/core/tensors/tensorQuery.js';
import { formatBytes } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { TensorValues, ValuesProgress, ValuesReport } from '../../src/core/values/valuesReport.js';
import type { TensorValuesState } from '../../src/protocol/messages.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { progressTrackStyles, renderTrack } from '../panel/progressTrack.js';
import { verdictIcon } from '../panel/severityIcons.js';
import { baseStyles } from '../shared/baseStyles.js';
import '../shared/chartView.js';
import { onDisclosure } from '../shared/disclosure.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { severityStyles } from '../shared/severityStyles.js';

/** Values of one tensor, read when that is asked for: their numbers and a histogram. */
@customElement('stowage-tensor-values')
export class TensorValuesView extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    severityStyles,
    progressTrackStyles,
    css`
      :host {
        margin-top: 12px;
        container-type: inline-size;
      }
      @container (min-width: 600px) {
        .numbers {
          display: grid;
          grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
          gap: 0 24px;
        }
      }
      .verdict {
        display: flex;
        gap: 8px;
        align-items: baseline;
        margin-bottom: 6px;
      }
      .verdict span {
        overflow-wrap: anywhere;
      }
      .there {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 18px;
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 4px 14px;
        margin-bottom: 8px;
      }
      dt {
        color: var(--stowage-muted);
      }
      dd {
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) detail!: TensorDetail;
  /** What is known of its values. */
  @property({ attribute: false }) reading!: TensorValuesState['state'];
  @state() private isTableOpen = false;

  constructor() {
    super();
    onDisclosure(this, ({ isOpen }) => (this.isTableOpen = isOpen));
  }

  /** Another tensor has other values. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('detail') || this.reading.kind !== 'done') this.isTableOpen = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('reading') && this.reading.kind === 'done')
      this.dispatchEvent(new CustomEvent('detail-wide', { bubbles: true, composed: true }));
  }

  override render(): TemplateResult {
    const { reading } = this;
    switch (reading.kind) {
      case 'none':
        return html`<button class="quiet" @click=${() => this.read()}>Read values</button>`;
      case 'running':
        return renderTrack({
          label: 'Values',
          ...progressOf(reading.progress, this.detail.bytes),
          onCancel: () => emitPanelEvent(this, 'panel-tensor-values-cancel', null),
        });
      case 'failed':
        return html`<p class="verdict">${verdictIcon('error', 16)}<span>Not read: ${visibleText(reading.message)}</span></p>
          <button class="quiet" @click=${() => this.read()}>Read values again</button>`;
      case 'done':
        return this.renderReport(reading.report);
    }
  }

  private renderReport({ tensors: [values], notRead: [missing] }: ValuesReport): TemplateResult {
    if (values !== undefined) return this.renderValues(values);
    const why = missing === undefined ? 'Not read.' : notReadSentence(missing);
    return html`<p class="verdict" role="status">${verdictIcon('note', 16)}<span>${why}</span></p>`;
  }

  private renderValues(values: TensorValues): TemplateResult {
    const { decision, isDamaged, facts, chart } = tensorValuesPage(values);
    const { first } = values;
    return html`<p class="verdict" role="status">${verdictIcon(isDamaged ? 'error' : 'fine', 16)}<span>${decision}</span></p>
      <div class="numbers">
        <div>
          <dl class="num">
            ${facts.map(
              ({ label, text, exact }) =>
                html`<dt>${label}</dt>
                  <dd title=${exact === '' ? nothing : exact}><bdi>${text}</bdi></dd>`,
            )}
          </dl>
          ${
            first === null
              ? nothing
              : html`<p class="there">
                  ${
                    first.index === null
                      ? nothing
                      : html`<button
                          class="link"
                          @click=${() => this.dispatchEvent(new CustomEvent('values-place', { detail: first.index }))}
                        >
                          Show the values around it
                        </button>`
                  }
                  <button
                    class="link"
                    @click=${() => emitPanelEvent(this, 'panel-file', { path: first.path, offsetBytes: first.offset })}
                  >
                    Open the file there
                  </button>
                </p>`
          }
        </div>
        ${chart === null ? nothing : html`<stowage-chart .chart=${chart} .disclosure=${chart.id} .isOpen=${this.isTableOpen}></stowage-chart>`}
      </div>`;
  }

  private read(): void {
    emitPanelEvent(this, 'panel-tensor-values', { row: this.detail.row });
  }
}

function progressOf(progress: ValuesProgress | null, bytes: number): { share: number | null; text: string } {
  if (progress === null) return { share: null, text: `Reading ${formatBytes(bytes)}` };
  const { bytesRead, totalBytes } = progress;
  return {
    share: totalBytes === 0 ? 0 : bytesRead / totalBytes,
    text: `${formatBytes(bytesRead)} of ${formatBytes(totalBytes)}`,
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tensor-values': TensorValuesView;
  }
}
