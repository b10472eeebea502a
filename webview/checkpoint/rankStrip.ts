import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { RankReport } from '../../src/core/checkpoints/checkpointReport.js';
import { deviationWords, type RankSummary } from '../../src/core/pages/checkpoint/rankSummary.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { cssProperties } from '../shared/cssProperties.js';
import { rankStripStyles } from './rankStripStyles.js';

const height = 96;
/** Few ranks do not become walls: a bar is at most this part of the strip. */
const fewestSlots = 10;
/** Above this many the gaps between bars are all that one would see. */
const mostWithGaps = 200;
/** Odd ranks that get a mark above their bars, so that they are found among thousands of bars and without colour. */
const mostMarks = 50;

/**
 * The bytes of all ranks side by side, on one scale from 0. A pointer or the arrow keys move over the ranks and say what each has; one
 * tab stop for all. Event: `rank-choose` with the rank.
 */
@customElement('stowage-rank-strip')
export class RankStrip extends LitElement {
  static override styles = [baseStyles, rankStripStyles];

  @property({ attribute: false }) ranks: readonly RankReport[] = [];
  @property({ attribute: false }) summary!: RankSummary;
  /** Position of the rank that is pointed at. */
  @state() private at: number | null = null;

  override render(): TemplateResult {
    const { ranks, summary, at } = this;
    const largest = ranks.reduce((most, rank) => (rank.bytes > most.bytes ? rank : most), ranks[0] as RankReport);
    const shown = ranks[at ?? this.first] as RankReport;
    const odd = new Set(summary.odd);
    const isOdd = (rank: RankReport): boolean => odd.has(rank);
    const bars = new Bars(ranks, largest.bytes);
    return html`<div class="scale num"><span>${formatBytes(largest.bytes)}</span><span>0</span></div>
      <div
        class="bars"
        role="slider"
        tabindex="0"
        aria-label="Bytes of each rank"
        aria-valuemin="1"
        aria-valuemax=${ranks.length}
        aria-valuenow=${(at ?? this.first) + 1}
        aria-valuetext=${this.wordsOf(shown)}
        @keydown=${this.onKey}
        @focus=${() => (this.at ??= this.first)}
        @blur=${() => (this.at = null)}
        @pointermove=${this.onPointer}
        @pointerleave=${() => (this.at = null)}
        @click=${() => this.choose()}
      >
        <svg viewBox="0 0 ${bars.slots} ${height}" preserveAspectRatio="none" aria-hidden="true">
          <path class="usual" d=${bars.path((rank) => !isOdd(rank))}></path>
          <path class="odd" d=${bars.path(isOdd)}></path>
          ${at === null ? nothing : svg`<rect class="pointed" x=${at} width="1" height=${height}></rect>`}
        </svg>
        ${summary.odd.slice(0, mostMarks).map((rank) => {
          const left = `${((ranks.indexOf(rank) + 0.5) / bars.slots) * 100}%`;
          return html`<span class="mark" aria-hidden="true" ${cssProperties({ left })}></span>`;
        })}
      </div>
      <p class="reading num muted"><bdi>${this.wordsOf(shown)}</bdi></p>`;
  }

  /** What the strip says before anyone points at it: the oddest rank, else the first. */
  private get first(): number {
    const [odd] = this.summary.odd;
    return odd === undefined ? 0 : this.ranks.indexOf(odd);
  }

  private wordsOf({ rank, bytes, files }: RankReport): string {
    const count = `${formatCount(files)} file${files === 1 ? '' : 's'}`;
    return `rank ${visibleText(rank)}: ${formatBytes(bytes)} in ${count}, ${deviationWords(bytes, this.summary.medianBytes)}`;
  }

  private readonly onPointer = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const slots = Math.max(this.ranks.length, fewestSlots);
    const at = Math.floor(((event.clientX - box.left) / box.width) * slots);
    this.at = at >= 0 && at < this.ranks.length ? at : null;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose();
      return;
    }
    const last = this.ranks.length - 1;
    const at = this.at ?? this.first;
    const page = Math.max(10, Math.round(this.ranks.length / 10));
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + page,
      PageDown: at - page,
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.at = Math.min(last, Math.max(0, to));
  };

  private choose(): void {
    const rank = this.at === null ? undefined : this.ranks[this.at];
    if (rank !== undefined) this.dispatchEvent(new CustomEvent('rank-choose', { detail: rank.rank }));
  }
}

/** The outlines of bars, in slots from the left and pixels from the top. */
class Bars {
  readonly slots: number;

  constructor(
    private readonly ranks: readonly RankReport[],
    private readonly largestBytes: number,
  ) {
    this.slots = Math.max(ranks.length, fewestSlots);
  }

  /** One path for all bars that are asked for. Neighbours without a gap share an edge, so that no seams show between them. */
  path(isAsked: (rank: RankReport) => boolean): string {
    const margin = this.ranks.length > mostWithGaps ? 0 : 0.1;
    let path = '';
    let open = false;
    this.ranks.forEach((rank, index) => {
      const asked = isAsked(rank);
      if (open && (!asked || margin > 0)) path += `V${height}Z`;
      if (asked)
        path +=
          open && margin === 0 ? this.top(rank, index + 1) : `M${index + margin} ${height}${this.top(rank, index + 1 - margin)}`;
      open = asked;
    });
    return open ? `${path}V${height}Z` : path;
  }

  private top({ bytes }: RankReport, right: number): string {
    // What is there is seen, however small.
    const barHeight = bytes === 0 ? 0 : Math.max(1, (bytes / this.largestBytes) * (height - 1));
    return `V${(height - barHeight).toFixed(1)}H${right}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-rank-strip': RankStrip;
  }
}
