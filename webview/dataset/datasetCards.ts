import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { coverageInWords } from '../../src/core/findings/evidence.js';
import { boundOf, bytesPerTokenInWords, isBound, rangeInWords } from '../../src/core/pages/dataset/datasetHeadline.js';
import { confidenceInWords } from '../../src/core/pages/dataset/datasetLines.js';
import type { CountReport, DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { countInWords, numberInWords } from '../../src/core/pages/dataset/datasetWords.js';
import { dtypeInWords } from '../../src/core/tensors/dtypeInWords.js';
import { pluralOf } from '../../src/core/text/plural.js';
import { summarizeShards } from '../../src/core/pages/dataset/shardSummary.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { findingsCard, summaryCard } from '../panel/summaryCard.js';
import { cardWith } from '../shared/card.js';
import { cardStyles } from '../shared/cardStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { datasetCardsStyles } from './datasetCardsStyles.js';
import { sourceOf, type CardSource } from './numberSource.js';

/** Tokens, samples, bytes a token, shards, padding, vocabulary, findings. Numbers open where they come from. */
@customElement('stowage-dataset-cards')
export class DatasetCards extends LitElement {
  static override styles = [baseStyles, cardStyles, datasetCardsStyles];

  @property({ attribute: false }) report!: DatasetReport;
  @state() private opened: CardSource | null = null;

  override render(): TemplateResult {
    const cards = [
      this.renderTokens(),
      this.renderSamples(),
      this.renderBytesPerToken(),
      this.renderShards(),
      this.renderPadding(),
      this.renderVocabulary(),
      findingsCard(this, this.report),
    ].filter((card) => card !== nothing);
    const source = this.opened === null ? null : sourceOf(this.report, this.opened);
    return html`<div class="cards of-${cards.length}">${cards}</div>
      <div id="source" role="region" aria-label="Where this comes from" ?hidden=${source === null}>
        ${source === null ? nothing : html`<div class="source">${source}</div>`}
      </div>`;
  }

  private renderTokens(): TemplateResult {
    const { tokens } = this.report;
    if (tokens === null)
      return cardWith(html`Tokens`, html`<p class="big">Not known</p>`, 'headers and lengths do not contain a count');
    const [low, high] = tokens.interval;
    if (isBound(tokens)) return this.withSource('tokens', 'Tokens', renderBound(tokens), coverageInWords(tokens.coverage));
    const detail = tokens.exact
      ? `exact: ${visibleText(tokens.method)}`
      : low === high
        ? confidenceInWords(tokens)
        : `${rangeInWords(tokens)}, ${confidenceInWords(tokens)}`;
    return this.withSource('tokens', 'Tokens', numberOf(tokens.count, tokens.exact), detail);
  }

  private renderSamples(): TemplateResult | typeof nothing {
    const { samples, sampleCount, sampleUnit, tokens } = this.report;
    if (samples === null || sampleCount === null) return nothing;
    const unit = pluralOf(visibleText(sampleUnit));
    const mean = tokens === null || samples === 0 ? null : tokens.count / samples;
    const isExact = tokens?.exact === true && sampleCount.exact;
    const detail = mean === null ? 'tokens in each: not known' : `${isExact ? '' : 'about '}${formatMean(mean)} tokens each`;
    const title = `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}`;
    const short = title.length > 24 ? 'Samples' : title;
    if (isBound(sampleCount))
      return this.withSource('samples', short, renderBound(sampleCount), coverageInWords(sampleCount.coverage));
    return this.withSource('samples', short, numberOf(samples, sampleCount.exact), detail);
  }

  private renderBytesPerToken(): TemplateResult {
    const { bytesPerToken, tokenDtype, text, totalBytes, tokens } = this.report;
    if (bytesPerToken !== null && tokenDtype !== null) {
      const onDisk =
        tokens === null || tokens.count === 0
          ? ''
          : `; all files: ${tokens.exact ? '' : 'about '}${numberInWords(totalBytes / tokens.count)} a token`;
      const detail = `${tokenDtype === 'mixed' ? 'several dtypes' : dtypeInWords(tokenDtype)}${onDisk}`;
      return this.withSource(
        'bytes',
        'Bytes a token',
        html`<p class="big num">${bytesPerTokenInWords(bytesPerToken).split(' ')[0]}</p>`,
        detail,
      );
    }
    if (text !== null) {
      const { value, low, high } = text.bytesPerToken;
      const answer = html`<p class="big num"><span class="assumed">${value.toFixed(2)}</span></p>`;
      return this.withSource(
        'bytes',
        'Bytes of text a token',
        answer,
        low === high ? 'of all the text' : `${low.toFixed(2)} to ${high.toFixed(2)}`,
      );
    }
    return cardWith(html`Bytes a token`, html`<p class="big">Not known</p>`, 'no tokens are stored');
  }

  private renderShards(): TemplateResult | typeof nothing {
    const summary = summarizeShards(this.report.shards);
    if (summary === null) return nothing;
    const { count, medianBytes, smallestBytes, largestBytes, odd } = summary;
    const sizes =
      smallestBytes === largestBytes
        ? `${formatBytes(medianBytes)}${count === 1 ? '' : ' each'}`
        : `median ${formatBytes(medianBytes)}, ${formatBytes(smallestBytes)} to ${formatBytes(largestBytes)}`;
    return summaryCard(this, {
      title: 'Shards',
      answer: html`<p class="big num" title=${exactBytes(medianBytes)}>${formatCount(count)}</p>`,
      detail: odd.size === 0 ? sizes : `${sizes}; ${formatCount(odd.size)} odd`,
      more: { tab: 'shards', text: 'all shards' },
    });
  }

  private renderPadding(): TemplateResult | typeof nothing {
    const { padding } = this.report;
    if (padding === null) return nothing;
    const share = html`<p class="big num"><span class=${padding.exact ? '' : 'assumed'}>${formatShare(padding.share)}</span></p>`;
    const words = `${padding.exact ? '' : 'about '}${countInWords(padding.tokens, padding.exact)} token positions`;
    return this.withSource('padding', 'Padding', share, words);
  }

  private renderVocabulary(): TemplateResult | typeof nothing {
    const { vocabulary } = this.report;
    if (vocabulary === null) return nothing;
    const fits = vocabulary.size <= 65_536 ? 'fits into uint16' : 'needs 4 bytes a token';
    return this.withSource('vocabulary', 'Vocabulary', numberOf(vocabulary.size, true), fits);
  }

  private withSource(id: CardSource, title: string, answer: TemplateResult, detail: string): TemplateResult {
    const open = this.opened === id;
    return cardWith(
      html`<button
        class="link"
        aria-label=${`${title}: where this comes from`}
        title="where this comes from"
        aria-expanded=${open}
        aria-controls="source"
        @click=${() => (this.opened = open ? null : id)}
        @keydown=${this.onKey}
      >
        ${title}
      </button>`,
      answer,
      detail,
    );
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.opened = null;
  };
}

function numberOf(count: number, exact: boolean): TemplateResult {
  return html`<p class="big num" title=${exact ? formatCount(count) : ''}>
    ${exact ? formatCount(count) : html`<span class="assumed">${countInWords(count, false)}</span>`}
  </p>`;
}

/** What is known of a sum over some of the shards. */
function renderBound(count: CountReport): TemplateResult {
  const bound = boundOf(count);
  if (bound === null) return html`<p class="big">Not known</p>`;
  const { side, number } = bound;
  return html`<p class="big num" aria-label="at ${side} ${number}">${side === 'least' ? '≥' : '≤'} ${number}</p>`;
}

function formatMean(mean: number): string {
  return mean >= 100 || Number.isInteger(mean) ? formatCount(mean) : mean.toFixed(1);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-dataset-cards': DatasetCards;
  }
}
