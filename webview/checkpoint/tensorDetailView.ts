import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { labelOfPart } from '../../src/core/checkpoints/segments.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import type { TensorDetail, TensorPiece } from '../../src/core/tensors/tensorQuery.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';
import { fillOf, fillStyles } from '../shared/componentColor.js';
import { fileText } from '../shared/fileText.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { TensorValuesState } from '../../src/protocol/messages.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import type { ReportHost } from '../panel/reportHost.js';
import './tensorSliceView.js';
import type { TensorSliceView } from './tensorSliceView.js';
import './tensorValuesView.js';

const shownPieces = 64;

/** One tensor: shape, strides, where its pieces lie, what shares its storage. Event: `detail-close`. */
@customElement('stowage-tensor-detail')
export class TensorDetailView extends LitElement {
  static override styles = [
    baseStyles,
    fillStyles,
    css`
      aside {
        padding: 10px 12px 12px;
      }
      header {
        display: flex;
        align-items: flex-start;
        gap: 8px;
      }
      h2 {
        flex: 1;
        min-width: 0;
        font-size: var(--stowage-body);
        overflow-wrap: anywhere;
      }
      .close {
        padding: 2px;
        border-radius: 4px;
        display: inline-flex;
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 4px 14px;
        margin-top: 8px;
      }
      dt {
        color: var(--stowage-muted);
      }
      dd {
        overflow-wrap: anywhere;
      }
      h3 {
        margin: 12px 0 3px;
        font-weight: 400;
        color: var(--stowage-muted);
      }
      li {
        padding: 2px 0;
        overflow-wrap: anywhere;
      }
      .swatch {
        margin-right: 7px;
      }
    `,
  ];

  @property({ attribute: false }) detail: TensorDetail | null = null;
  @property({ attribute: false }) failure: string | null = null;
  @property({ attribute: false }) values!: TensorValuesState;
  @property({ attribute: false }) host!: ReportHost;
  @query('stowage-tensor-slice') private slice!: TensorSliceView | null;

  override render(): TemplateResult {
    const { detail } = this;
    return html`<aside aria-label="Tensor" tabindex="0" @keydown=${this.onKey}>
      <header>
        <h2 class="mono">${detail === null ? 'Tensor' : fileText(detail.name)}</h2>
        <button class="close" aria-label="Close the details" title="Close (Esc)" @click=${this.close}>
          <vscode-icon name="close" size="16"></vscode-icon>
        </button>
      </header>
      ${
        this.failure !== null
          ? html`<p>The details could not be read: ${visibleText(this.failure)}</p>`
          : detail === null
            ? html`<p class="muted">Reading</p>`
            : this.renderDetail(detail)
      }
    </aside>`;
  }

  private renderDetail(detail: TensorDetail): TemplateResult {
    const { pieces, inner, sharesStorageWith } = detail;
    return html`<dl class="num">
        ${fact('shape', html`<span class="mono">${shapeText(detail.shape)}</span>`)}
        ${fact('elements', formatCount(detail.elements))} ${fact('dtype', fileText(detail.dtype))}
        ${fact('bytes', html`<span title=${exactBytes(detail.bytes)}>${formatCount(detail.bytes)} (${formatBytes(detail.bytes)})</span>`)}
        ${fact(
          'component',
          html`<span class="swatch fill ${fillOf(detail.component, detail.part)}"></span
            >${labelOfPart(detail.component, detail.part)}`,
        )}
        ${fact('strides', detail.strides === null ? 'contiguous' : html`<span class="mono">${shapeText(detail.strides)}</span>`)}
        ${detail.wrapper === null ? nothing : fact('wrapped in', html`<span class="mono">${fileText(detail.wrapper)}</span>`)}
        ${detail.parameter === null ? nothing : fact('state of', html`<span class="mono">${fileText(detail.parameter)}</span>`)}
      </dl>
      <stowage-tensor-values
        .detail=${detail}
        .reading=${this.values.row === detail.row ? this.values.state : nothingRead}
        @values-place=${({ detail: index }: CustomEvent<number[]>) => this.slice?.show(index)}
      ></stowage-tensor-values>
      <stowage-tensor-slice .detail=${detail} .host=${this.host}></stowage-tensor-slice>
      <h3>${pieces.length === 1 ? 'Location' : `Locations of ${counted(pieces.length, 'piece')}`}</h3>
      <ul>
        ${pieces.slice(0, shownPieces).map((piece) => this.renderPiece(piece, pieces.length > 1))}
        ${pieces.length > shownPieces ? html`<li class="muted">and ${formatCount(pieces.length - shownPieces)} more</li>` : nothing}
      </ul>
      ${
        inner.length === 0
          ? nothing
          : html`<h3>Made of</h3>
              <ul>
                ${inner.map(
                  (part) =>
                    html`<li>
                      <span class="mono">${fileText(part.name)}</span> ${fileText(part.dtype)} ${shapeText(part.shape)},
                      ${formatBytes(part.bytes)}
                    </li>`,
                )}
              </ul>`
      }
      ${
        sharesStorageWith.length === 0
          ? nothing
          : html`<h3>Shares its storage with</h3>
              <ul>
                ${sharesStorageWith.map((name) => html`<li class="mono">${fileText(name)}</li>`)}
              </ul>`
      }`;
  }

  private renderPiece({ file, offsetBytes, bytes }: TensorPiece, several: boolean): TemplateResult {
    return html`<li>
      <button class="link mono" @click=${() => emitPanelEvent(this, 'panel-file', { path: file, offsetBytes })}>
        ${fileText(file)}
      </button>
      <span class="muted num"
        >${offsetBytes === null ? nothing : ` at byte ${formatCount(offsetBytes)}`}${several ? `, ${formatBytes(bytes)}` : nothing}</span
      >
    </li>`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.close();
  };

  private readonly close = (): void => {
    this.dispatchEvent(new CustomEvent('detail-close'));
  };
}

const nothingRead: TensorValuesState['state'] = { kind: 'none' };

function fact(name: string, value: unknown): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function shapeText(shape: number[]): string {
  return shape.length === 0 ? 'scalar' : shape.map((size) => String(size)).join(' × ');
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tensor-detail': TensorDetailView;
  }
}
