import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport, RunCheckpoint } from '../../src/core/checkpoints/checkpointReport.js';
import { summarizeRanks, type RankSummary } from '../../src/core/pages/checkpoint/rankSummary.js';
import { newestCheckpoint } from '../../src/core/checkpoints/newestCheckpoint.js';
import { labelOfComponent } from '../../src/core/checkpoints/segments.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { blockingFindings } from '../../src/core/pages/checkpoint/headline.js';
import { loadDetail, loadVerdictWords } from '../../src/core/pages/checkpoint/loadPage.js';
import { resumeWords } from '../../src/core/pages/checkpoint/checkpointWords.js';
import { findingsCard, summaryCard } from '../panel/summaryCard.js';
import { cardStyles } from '../shared/cardStyles.js';

/** Short answers: resume, load, findings, duplicates, and the parts of the whole. */
@customElement('stowage-summary-cards')
export class SummaryCards extends LitElement {
  static override styles = [baseStyles, cardStyles];

  @property({ attribute: false }) report!: CheckpointReport;

  override render(): TemplateResult {
    // What is no checkpoint is not asked whether it resumes.
    const isCheckpoint = this.report.resume.verdict !== 'none';
    return html`<div class="cards">
      ${isCheckpoint ? this.renderResume() : nothing} ${this.renderLoad()} ${findingsCard(this, this.report)}
      ${isCheckpoint ? this.renderDuplicates() : nothing} ${this.renderFourth()}
    </div>`;
  }

  private renderResume(): TemplateResult {
    const { present, missing, blockedBy } = this.report.resume;
    const names = missing.map(({ component }) => labelOfComponent(component)).join(', ');
    const detail =
      blockedBy.length > 0
        ? `${counted(blockingFindings(this.report), 'error')}: see the findings`
        : missing.length > 0
          ? `not saved: ${names}`
          : `${counted(present.length, 'part')} of training state present`;
    return summaryCard(this, {
      title: 'Resume',
      answer: html`<p class="big verdict">${resumeWords(this.report.resume)}</p>`,
      detail,
      more: { tab: 'findings', text: 'present and missing' },
    });
  }

  /** Whether config, tokenizer and tensors fit each other. */
  private renderLoad(): TemplateResult | typeof nothing {
    const { load } = this.report;
    if (load === undefined) return nothing;
    return summaryCard(this, {
      title: 'Load',
      answer: html`<p class="big verdict">${loadVerdictWords[load.verdict]}</p>`,
      detail: loadDetail(load),
      more: { tab: 'loading', text: 'what was compared' },
    });
  }

  private renderDuplicates(): TemplateResult {
    const { bytes, items } = this.report.storedTwice;
    if (bytes === 0)
      return summaryCard(this, {
        title: 'Duplicates',
        answer: html`<p class="big">None</p>`,
        detail: 'no tensors of the same name, dtype and shape in two files',
      });
    const what = items.map((item) => visibleText(item.what)).join(', ');
    return summaryCard(this, {
      title: 'Duplicates',
      answer: html`<p class="big num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</p>`,
      detail: `${formatShare(bytes / this.report.totalBytes)}: ${what}`,
      more: { tab: 'components', text: 'where' },
    });
  }

  /** Checkpoints of a run, ranks that can be compared, or else the largest file. */
  private renderFourth(): TemplateResult {
    const { run } = this.report;
    if (run !== undefined) return this.renderRun(run.checkpoints);
    const ranks = summarizeRanks(this.report);
    return ranks === null ? this.renderLargest() : this.renderRanks(ranks);
  }

  private renderRun(all: readonly RunCheckpoint[]): TemplateResult {
    const checkpoints = all.filter(({ copyOf }) => copyOf === undefined);
    const unfinished = checkpoints.filter(({ finished }) => !finished).length;
    const newest = newestCheckpoint(checkpoints);
    const size = newest?.finished !== true ? 'none is finished' : `the newest finished one has ${formatBytes(newest.bytes)}`;
    return summaryCard(this, {
      title: 'Checkpoints',
      answer: html`<p class="big num">${formatCount(checkpoints.length)}</p>`,
      detail: unfinished === 0 || newest?.finished !== true ? size : `${size}; ${formatCount(unfinished)} unfinished`,
      more: { tab: 'checkpoints', text: 'all checkpoints' },
    });
  }

  private renderRanks({ count, words }: RankSummary): TemplateResult {
    return summaryCard(this, {
      title: 'Ranks',
      answer: html`<p class="big num">${count}</p>`,
      detail: words,
      more: { tab: 'ranks', text: 'what each wrote' },
    });
  }

  private renderLargest(): TemplateResult {
    const { files, totalBytes, topology } = this.report;
    const largest = files.reduce<(typeof files)[number] | null>((a, b) => (a === null || b.bytes > a.bytes ? b : a), null);
    const title = 'Largest file';
    if (largest === null)
      return summaryCard(this, { title, answer: html`<p class="big">None</p>`, detail: 'there are no files' });
    const ranks =
      topology.worldSize !== null && topology.worldSize > 1 ? `; saved by ${counted(topology.worldSize, 'rank')}` : '';
    return summaryCard(this, {
      title,
      answer: html`<p class="big num" title=${exactBytes(largest.bytes)}>
        ${formatBytes(largest.bytes)}${totalBytes === 0 ? '' : html` <span class="share">${formatShare(largest.bytes / totalBytes)}</span>`}
      </p>`,
      detail: `${visibleText(largest.path)}${ranks}`,
      more: { tab: 'files', text: 'all files' },
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-summary-cards': SummaryCards;
  }
}
