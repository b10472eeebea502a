import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { HeatMap } from '../../src/core/pages/values/heatMap.js';
import { mostGridColumns, mostGridRows, type SliceGrid } from '../../src/core/pages/values/sliceGrid.js';
import type { TensorDetail } from '../../src/core/tensors/tensorQuery.js';
import { formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { matrixAxes } from '../../src/core/tensors/matrixAxes.js';
import type { ReportHost } from '../panel/reportHost.js';
import { baseStyles } from '../shared/baseStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import './heatMapView.js';
import { tensorSliceStyles } from './tensorSliceStyles.js';

/** What is shown: the first index of each axis, and how many rows and columns from there. */
interface Choice {
  index: number[];
  rows: number;
  columns: number;
}

/** A part of a tensor as a grid of numbers, and the matrix that it is of as a picture. Event: `detail-wide` when there is a grid. */
@customElement('stowage-tensor-slice')
export class TensorSliceView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, tensorSliceStyles];

  @property({ attribute: false }) detail!: TensorDetail;
  @property({ attribute: false }) host!: ReportHost;
  /** Null until a slice is asked for. */
  @state() private choice: Choice | null = null;
  @state() private grid: SliceGrid | null = null;
  @state() private map: HeatMap | null = null;
  /** Why there is no grid, or no picture. */
  @state() private why: string | null = null;
  @state() private isReading = false;
  private request: AbortController | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.request?.abort();
  }

  /** Another tensor has other values. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('detail') && changed.get('detail') !== undefined) this.close();
  }

  /** Shows what is around an element. */
  show(index: readonly number[]): void {
    const own = this.detail.shape.map((size, axis) => Math.max(0, Math.min(size - 1, index[axis] ?? 0)));
    const { rowAxis, columnAxis } = matrixAxes(own.length);
    // With some of what is before it.
    for (const axis of [rowAxis, columnAxis]) if (axis !== null) own[axis] = Math.max(0, (own[axis] ?? 0) - 3);
    void this.read({ ...(this.choice ?? { rows: usualRows, columns: usualColumns }), index: own });
  }

  override render(): TemplateResult {
    const { choice } = this;
    if (this.detail.elements === 0) return html``;
    if (choice === null) return html`<button class="quiet" @click=${() => this.show([])}>Show a slice</button>`;
    return html`<h3>Slice</h3>
      ${this.renderInputs(choice)}
      ${this.why === null ? nothing : html`<p class="why" role="status">${visibleText(this.why)}</p>`}
      ${this.grid === null ? nothing : this.renderGrid(this.grid)}
      ${this.map === null ? this.renderAsk() : html`<stowage-heat-map .map=${this.map}></stowage-heat-map>`}`;
  }

  private renderAsk(): TemplateResult | typeof nothing {
    if (this.grid === null || this.detail.shape.length < 2) return nothing;
    return html`<button class="quiet" ?disabled=${this.isReading} @click=${() => void this.readMap()}>
      Draw ${this.detail.shape.length > 2 ? 'this matrix' : 'all of it'} as a heat map
    </button>`;
  }

  private renderInputs({ index, rows, columns }: Choice): TemplateResult {
    const { shape } = this.detail;
    const { rowAxis, columnAxis } = matrixAxes(shape.length);
    const leading = rowAxis === null ? [] : shape.slice(0, columnAxis === null ? 0 : rowAxis);
    return html`<div class="inputs">
      ${leading.map((size, axis) => this.renderNumber(`axis ${axis}`, index[axis] ?? 0, [0, size - 1], (value) => this.moveTo(axis, value)))}
      ${rowAxis === null ? nothing : this.renderRange('row', rowAxis, rows, mostGridRows, (count) => this.change({ rows: count }))}
      ${
        columnAxis === null
          ? nothing
          : this.renderRange('column', columnAxis, columns, mostGridColumns, (count) => this.change({ columns: count }))
      }
    </div>`;
  }

  /** The first index of rows or columns, how many there are, and the ones before and after them. */
  private renderRange(noun: string, axis: number, count: number, most: number, onCount: (count: number) => void): TemplateResult {
    const size = this.detail.shape[axis] ?? 0;
    const start = this.choice?.index[axis] ?? 0;
    const [back, on] = noun === 'row' ? ['arrow-up', 'arrow-down'] : ['arrow-left', 'arrow-right'];
    return html`<div class="range" role="group" aria-label=${`${noun}s`}>
      ${this.renderNumber(`${noun}s from`, start, [0, size - 1], (value) => this.moveTo(axis, value))}
      ${this.renderNumber('count', count, [1, most], onCount)}
      ${renderArrow(`Previous ${noun}s`, back ?? '', start === 0, () => this.moveTo(axis, start - count))}
      ${renderArrow(`Next ${noun}s`, on ?? '', start + count >= size, () => this.moveTo(axis, start + count))}
    </div>`;
  }

  private renderNumber(
    label: string,
    value: number,
    [least, most]: [number, number],
    onValue: (value: number) => void,
  ): TemplateResult {
    const onChange = (event: Event): void => {
      const input = event.target as HTMLInputElement;
      const number = Math.floor(input.valueAsNumber);
      const own = Number.isFinite(number) ? Math.max(least, Math.min(most, number)) : value;
      input.value = String(own);
      if (own !== value) onValue(own);
    };
    return html`<label
      ><span class="muted small">${label}</span>
      <input
        type="number"
        class="num"
        min=${least}
        max=${most}
        title=${`${formatCount(least)} to ${formatCount(most)}`}
        .value=${String(value)}
        @change=${onChange}
    /></label>`;
  }

  private renderGrid({ rows, columns, cells, basis }: SliceGrid): TemplateResult {
    const codes = basis === 'codes' ? ' Stored codes, before any scale.' : '';
    return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Values of the slice" aria-busy=${this.isReading}>
        <table class="num">
          <caption class="visually-hidden">
            ${sliceWords(rows, columns)}
          </caption>
          <thead>
            <tr>
              <td></td>
              ${columns.map((column) => html`<th scope="col" class="end">${formatCount(column)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row, at) =>
                html`<tr>
                  <th scope="row" class="end">${formatCount(row)}</th>
                  ${cells[at]?.map(({ text, isOdd }) => html`<td class=${isOdd ? 'end odd' : 'end'}>${text}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="muted small" role="status">${sliceWords(rows, columns)}.${codes}</p>`;
  }

  private moveTo(axis: number, start: number): void {
    const { choice } = this;
    if (choice === null) return;
    const most = (this.detail.shape[axis] ?? 1) - 1;
    this.change({ index: choice.index.map((own, at) => (at === axis ? Math.max(0, Math.min(most, start)) : own)) });
    const { rowAxis, columnAxis } = matrixAxes(choice.index.length);
    // The picture is of another matrix then.
    if (axis !== rowAxis && axis !== columnAxis) this.map = null;
  }

  private change(change: Partial<Choice>): void {
    if (this.choice !== null) void this.read({ ...this.choice, ...change });
  }

  private async read(choice: Choice): Promise<void> {
    this.choice = choice;
    const grid = await this.ask((signal) =>
      this.host.endpoint.request('tensorGrid', { row: this.detail.row, ...choice }, signal),
    );
    if (grid === null) return;
    this.grid = grid;
    this.dispatchEvent(new CustomEvent('detail-wide', { bubbles: true, composed: true }));
  }

  private async readMap(): Promise<void> {
    const { index } = this.choice ?? { index: [] };
    const map = await this.ask((signal) => this.host.endpoint.request('tensorHeatMap', { row: this.detail.row, index }, signal));
    if (map !== null) this.map = map;
  }

  /** Null where something else was asked for in between, and where there is no answer, which is said then. */
  private async ask<Answer extends object>(
    send: (signal: AbortSignal) => Promise<Answer | { why: string }>,
  ): Promise<Answer | null> {
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    this.isReading = true;
    const answer = await send(request.signal).catch((error: unknown) => ({
      why: `Not read: ${error instanceof Error ? error.message : String(error)}`,
    }));
    if (this.request !== request) return null;
    this.isReading = false;
    this.why = 'why' in answer ? answer.why : null;
    return 'why' in answer ? null : answer;
  }

  private close(): void {
    this.request?.abort();
    this.request = undefined;
    this.choice = null;
    this.grid = null;
    this.map = null;
    this.why = null;
    this.isReading = false;
  }
}

const usualRows = 16;
const usualColumns = 8;

function renderArrow(label: string, icon: string, isEnd: boolean, onClick: () => void): TemplateResult {
  return html`<button class="quiet arrow" aria-label=${label} title=${label} ?disabled=${isEnd} @click=${onClick}>
    <vscode-icon name=${icon} size="14"></vscode-icon>
  </button>`;
}

function sliceWords(rows: readonly number[], columns: readonly number[]): string {
  const range = (noun: string, [first = 0, ...rest]: readonly number[]): string => {
    const last = rest.at(-1);
    return last === undefined ? `${noun} ${formatCount(first)}` : `${noun}s ${formatCount(first)} to ${formatCount(last)}`;
  };
  const words = `${range('row', rows)}, ${range('column', columns)}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tensor-slice': TensorSliceView;
  }
}
