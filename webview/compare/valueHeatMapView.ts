import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { distanceLevels, type HeatCell, type ValueHeatMap } from '../../src/core/pages/comparison/valueHeatMap.js';
import { baseStyles } from '../shared/baseStyles.js';
import { middleText, middleTextStyles } from '../shared/middleText.js';
import { valueHeatMapStyles } from './valueHeatMapStyles.js';

/** Of more layers those have their number above them that a round number divides. */
const numberedLayers = 12;
const roundSteps = [1, 2, 5, 10, 20, 50, 100];

/**
 * Kinds of tensors in layers, each cell in the colour of how far apart both sides are. One stop of the Tab key, with arrow keys from cell to
 * cell. Event: `cell-choose` with the name of the tensor that a cell is about.
 */
@customElement('stowage-value-heat-map')
export class ValueHeatMapView extends LitElement {
  static override styles = [
    baseStyles,
    middleTextStyles,
    valueHeatMapStyles,
    css`
      .readout {
        min-height: 1.5em;
        max-width: 110ch;
        margin: 6px 0 0;
      }
      @media (max-width: 800px) {
        .readout {
          min-height: 3em;
        }
      }
    `,
  ];

  @property({ attribute: false }) map!: ValueHeatMap;
  /** The cell that Tab reaches. */
  @state() private at = 0;
  /** The cell whose words are below the picture. */
  @state() private shown: number | null = null;

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('map')) return;
    this.at = Math.max(
      0,
      this.map.cells.findIndex(({ look }) => look !== 'absent'),
    );
    this.shown = null;
  }

  override render(): TemplateResult {
    const { kinds, layers, summary, leftOut, cells } = this.map;
    const words =
      this.shown === null ? 'Point at a cell, or move to it with the arrow keys. Enter shows its row.' : cells[this.shown]?.words;
    return html`<div class="scroll-x">
        <table role="grid" aria-label=${summary} @keydown=${this.onKey}>
          <thead>
            <tr>
              <th scope="col" class="small">layer</th>
              ${layers.map((layer) => renderLayer(layer, layers.length))}
            </tr>
          </thead>
          <tbody>
            ${kinds.map((kind, row) => this.renderRow(kind, row))}
          </tbody>
        </table>
      </div>
      ${this.renderLegend()}
      <p class="readout small" aria-hidden="true"><bdi>${words}</bdi></p>
      ${leftOut === '' ? nothing : html`<p class="muted small">${leftOut}</p>`}`;
  }

  private renderRow(kind: string, row: number): TemplateResult {
    const { layers, cells } = this.map;
    const first = row * layers.length;
    return html`<tr>
      <th scope="row" class="mono" title=${kind}>${middleText(kind)}</th>
      ${cells.slice(first, first + layers.length).map((cell, column) => this.renderCell(cell, first + column))}
    </tr>`;
  }

  private renderCell(cell: HeatCell, at: number): TemplateResult {
    const look = cell.look === 'different' ? `level-${cell.level}` : cell.look;
    return html`<td
      class="cell ${look}"
      tabindex=${at === this.at ? 0 : -1}
      data-at=${at}
      aria-label=${cell.words}
      @click=${() => this.choose(at)}
      @focus=${() => this.show(at)}
      @pointerenter=${() => (this.shown = at)}
    ></td>`;
  }

  private renderLegend(): TemplateResult {
    const levels = Array.from({ length: distanceLevels }, (_, index) => index + 1);
    const has = (look: HeatCell['look']): boolean => this.map.cells.some((cell) => cell.look === look);
    return html`<p class="key small">
      <span><i class="cell equal"></i>equal</span>
      <span
        >relative L2 below 10⁻⁶ ${levels.map((level) => html`<i class="cell level-${level}"></i>`)} 1 and above, a power of ten
        each</span
      >
      ${has('unlike') ? html`<span><i class="cell unlike"></i>differs, without a distance</span>` : nothing}
      ${has('unread') ? html`<span><i class="cell unread"></i>not compared</span>` : nothing}
    </p>`;
  }

  private show(at: number): void {
    this.at = at;
    this.shown = at;
  }

  private choose(at: number): void {
    this.show(at);
    const tensor = this.map.cells[at]?.tensor ?? null;
    if (tensor !== null) this.dispatchEvent(new CustomEvent('cell-choose', { detail: tensor }));
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const { kinds, layers } = this.map;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(this.at);
      return;
    }
    const [row, column] = [Math.floor(this.at / layers.length), this.at % layers.length];
    const place = {
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      Home: [row, 0],
      End: [row, layers.length - 1],
    }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const [toRow = 0, toColumn = 0] = place;
    if (toRow < 0 || toRow >= kinds.length || toColumn < 0 || toColumn >= layers.length) return;
    this.renderRoot.querySelector<HTMLElement>(`[data-at="${toRow * layers.length + toColumn}"]`)?.focus();
  };
}

/** Of many layers most numbers are for who does not see the picture. */
function renderLayer(layer: string, count: number): TemplateResult {
  const step = roundSteps.find((one) => count / one <= numberedLayers) ?? count;
  const isShown = Number(layer) % step === 0;
  const label = layer === '' ? 'outside of layers' : layer;
  return html`<th scope="col" class="num small layer" title=${label}>
    ${layer !== '' && isShown ? layer : html`<span class="visually-hidden">${label}</span>`}
  </th>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-value-heat-map': ValueHeatMapView;
  }
}
