import { html, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { Report } from '../../src/core/inspection/report.js';
import { cardWith } from '../shared/card.js';
import { emitPanelEvent } from './panelEvents.js';
import { severityIcons } from './severityIcons.js';
import { checkCounts, severityCounts } from '../../src/core/pages/findingCounts.js';
import type { TabId } from './viewState.js';

export interface SummaryCard {
  title: string;
  answer: TemplateResult;
  detail: string;
  more?: { tab: TabId; text: string };
}

/** One card: a title, which leads to the tab that says more, an answer and a detail in one line. Needs `cardStyles`. */
export function summaryCard(from: EventTarget, { title, answer, detail, more }: SummaryCard): TemplateResult {
  const heading =
    more === undefined
      ? html`${title}`
      : html`<button
          class="link"
          aria-label=${`${title}: ${more.text}`}
          title=${more.text}
          @click=${() => emitPanelEvent(from, 'panel-tab', more.tab)}
        >
          ${title}
        </button>`;
  return cardWith(heading, answer, detail);
}

/** How many findings there are of each severity. */
export function findingsCard(from: EventTarget, report: Report): TemplateResult {
  const counts = severityCounts(report);
  if (counts.length === 0) {
    return summaryCard(from, {
      title: 'Findings',
      answer: html`<p class="big">None</p>`,
      detail: checkCounts(report.checks),
      more: { tab: 'findings', text: 'what was checked' },
    });
  }
  const worst = counts.map(({ severity, text }, index) =>
    index === 0
      ? html`<vscode-icon class=${severity} name=${severityIcons[severity]} size="16"></vscode-icon
          ><span class="big">${text}</span>`
      : html`<span>· ${text}</span>`,
  );
  return summaryCard(from, {
    title: 'Findings',
    answer: html`<p class="counts">${worst}</p>`,
    // The gravest stands in the headline.
    detail: '',
    more: { tab: 'findings', text: 'all findings' },
  });
}
