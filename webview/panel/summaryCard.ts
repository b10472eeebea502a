import { html, nothing, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { Report } from '../../src/core/inspection/report.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { emitPanelEvent } from './panelEvents.js';
import { severityIcons } from './severityIcons.js';
import { checksInWords, severityCounts } from '../../src/core/pages/findingCounts.js';
import type { TabId } from './viewState.js';

export interface SummaryCard {
  title: string;
  answer: TemplateResult;
  detail: string;
  more?: { tab: TabId; text: string };
}

/** One card: a title, an answer, a detail of at most three lines, and where to find more. Needs `summaryCardsStyles`. */
export function summaryCard(from: EventTarget, { title, answer, detail, more }: SummaryCard): TemplateResult {
  const link =
    more === undefined
      ? nothing
      : html`<button
          class="link"
          aria-label=${`${title}: ${more.text}`}
          @click=${() => emitPanelEvent(from, 'panel-tab', more.tab)}
        >
          ${more.text}
        </button>`;
  return cardWith(title, answer, detail, link);
}

/** A card with something else than the link to a tab at its foot. */
export function cardWith(
  title: string,
  answer: TemplateResult,
  detail: string,
  foot: TemplateResult | typeof nothing,
): TemplateResult {
  return html`<section class="card">
    <h2>${title}</h2>
    ${answer}
    <p class="detail clamp muted" title=${detail}><bdi>${keepUnits(detail)}</bdi></p>
    ${foot}
  </section>`;
}

/** How many findings there are of each severity, and the worst in words. */
export function findingsCard(from: EventTarget, report: Report): TemplateResult {
  const counts = severityCounts(report);
  if (counts.length === 0) {
    return summaryCard(from, {
      title: 'Findings',
      answer: html`<p class="big">None</p>`,
      detail: checksInWords(report.checks),
      more: { tab: 'findings', text: 'what was checked' },
    });
  }
  const worst = counts.map(({ severity, text }, index) =>
    index === 0
      ? html`<vscode-icon class=${severity} name=${severityIcons[severity]} size="16"></vscode-icon
          ><span class="big">${text}</span>`
      : html`<span>· ${text}</span>`,
  );
  const first = report.findings.find(({ severity }) => severity === counts[0]?.severity);
  const line = html`<p class="line">${worst}</p>`;
  return summaryCard(from, {
    title: 'Findings',
    answer: line,
    detail: visibleText(first?.message ?? ''),
    more: { tab: 'findings', text: 'all findings' },
  });
}
