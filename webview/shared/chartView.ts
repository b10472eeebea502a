import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { chartLayout } from '../../src/core/pages/charts/chartLayout.js';
import type { ChartLayout } from '../../src/core/pages/charts/chartShapes.js';
import { chartStops, isAcross, nearestStop, stopInWords, type ChartStop } from '../../src/core/pages/charts/chartStops.js';
import type { PageChart } from '../../src/core/pages/chart.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from './baseStyles.js';
import { cssProperties } from './cssProperties.js';
import { drawChart } from './chartDrawing.js';
import { chartStyles } from './chartStyles.js';
import { emitDisclosure } from './disclosure.js';
import { onResize } from './elementControllers.js';
import './tableView.js';

/** A picture of numbers. The pointer or the arrow keys show its values; the same numbers stand in a table behind it. */
@customElement('stowage-chart')
export class ChartView extends LitElement {
  static override styles = [baseStyles, chartStyles];

  @property({ attribute: false }) chart!: PageChart;
  /** Of its table, for the state of the page. */
  @property({ attribute: false }) disclosure = '';
  @property({ attribute: false }) isOpen = false;
  /** False where its table stands beside it anyhow. */
  @property({ attribute: false }) hasTable = true;
  @state() private width = 0;
  /** Index of the stop that is shown; null while nothing is pointed at. */
  @state() private shown: number | null = null;
  @query('.frame') private frame!: HTMLElement | null;
  private layout: ChartLayout | null = null;
  private stops: ChartStop[] = [];

  constructor() {
    super();
    onResize(this, ({ width }) => (this.width = Math.floor(width)));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.width === 0 || !(changed.has('chart') || changed.has('width'))) return;
    this.layout = chartLayout(this.chart, this.width);
    this.stops = chartStops(this.chart, this.layout);
    if (this.shown !== null && this.shown >= this.stops.length) this.shown = null;
  }

  override render(): TemplateResult {
    const { chart, layout } = this;
    return html`<figure>
      <figcaption>${visibleText(chart.title)}</figcaption>
      <div class="frame" @pointermove=${this.onPoint} @pointerleave=${() => (this.shown = null)}>
        ${layout === null ? nothing : this.renderPicture(layout)}
      </div>
      ${this.hasTable ? this.renderTable(chart) : nothing}
    </figure>`;
  }

  private renderTable(chart: PageChart): TemplateResult {
    return html`<button class="link small" aria-expanded=${this.isOpen} aria-controls="table" @click=${this.toggle}>
        ${this.isOpen ? 'Hide the table' : 'Show as table'}<span class="visually-hidden">: ${visibleText(chart.title)}</span>
      </button>
      <div id="table" ?hidden=${!this.isOpen}>
        ${this.isOpen ? html`<stowage-table .table=${chart.table}></stowage-table>` : nothing}
      </div>`;
  }

  private renderPicture(layout: ChartLayout): TemplateResult {
    const { width, height } = layout;
    const stop = this.shown === null ? null : (this.stops[this.shown] ?? null);
    return html`<svg
        role="img"
        aria-label=${visibleText(this.chart.summary)}
        width=${this.width}
        viewBox=${`0 0 ${width} ${height}`}
      >
        ${drawChart(layout, stop)}
      </svg>
      ${this.stops.length === 0 ? nothing : this.renderWalk(layout)} ${stop === null ? nothing : this.renderValues(layout, stop)}`;
  }

  /** What keys move: an invisible slider over the plot. */
  private renderWalk({ plot, width }: ChartLayout): TemplateResult {
    const scale = this.width / width;
    const at = this.shown ?? this.first();
    const stop = this.stops[at];
    const pixels = (value: number): string => `${value * scale}px`;
    return html`<div
      class="walk"
      role="slider"
      tabindex="0"
      aria-label=${`Values of ${visibleText(this.chart.title)}`}
      aria-orientation=${isAcross(this.chart) ? 'horizontal' : 'vertical'}
      aria-valuemin="1"
      aria-valuemax=${this.stops.length}
      aria-valuenow=${at + 1}
      aria-valuetext=${stop === undefined ? nothing : visibleText(stopInWords(stop))}
      ${cssProperties({
        left: pixels(plot.left),
        top: pixels(plot.top),
        width: pixels(plot.right - plot.left),
        height: pixels(plot.bottom - plot.top),
      })}
      @focus=${() => (this.shown ??= this.first())}
      @blur=${() => (this.shown = null)}
      @keydown=${this.onKey}
    ></div>`;
  }

  private renderValues({ plot, width, height }: ChartLayout, { position, title, values }: ChartStop): TemplateResult {
    const scale = this.width / width;
    const isBeside = isAcross(this.chart);
    const isLeft = isBeside && position < (plot.left + plot.right) / 2;
    const place: Record<string, string> = isBeside
      ? {
          top: `${plot.top * scale + 6}px`,
          [isLeft ? 'left' : 'right']: `${(isLeft ? position : width - position) * scale + 10}px`,
        }
      : position < height / 2
        ? { top: `${position * scale + 16}px`, right: '8px' }
        : { bottom: `${(height - position) * scale + 16}px`, right: '8px' };
    return html`<div class="values num" aria-hidden="true" ${cssProperties(place)}>
      <strong>${visibleText(title)}</strong>
      ${values.map(
        ({ label, tone, text }) =>
          html`<p>
            <span class="key tone-${tone}"></span><span>${visibleText(label === '' ? text : `${label} ${text}`)}</span>
          </p>`,
      )}
    </div>`;
  }

  /** Where keys begin: at the plan's own place, else at the beginning. */
  private first(): number {
    const main = this.layout?.dots.find(({ isMain }) => isMain);
    return main === undefined ? 0 : nearestStop(this.stops, main.x);
  }

  private readonly toggle = (): void => emitDisclosure(this, { id: this.disclosure, isOpen: !this.isOpen });

  private readonly onPoint = (event: PointerEvent): void => {
    const { frame, layout } = this;
    if (frame === null || layout === null || this.stops.length === 0) return;
    const { left, top } = frame.getBoundingClientRect();
    const scale = layout.width / this.width;
    const across = (event.clientX - left) * scale;
    const down = (event.clientY - top) * scale;
    const { plot } = layout;
    const isInside = across >= plot.left - 4 && across <= plot.right + 4 && down >= plot.top && down <= plot.bottom;
    this.shown = isInside ? nearestStop(this.stops, isAcross(this.chart) ? across : down) : null;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const at = this.shown ?? this.first();
    const last = this.stops.length - 1;
    const step = isAcross(this.chart) ? -1 : 1;
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + step,
      ArrowUp: at - step,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    this.shown = Math.max(0, Math.min(last, to));
    event.preventDefault();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-chart': ChartView;
  }
}
