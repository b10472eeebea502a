import { html, nothing, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { Report } from '../../src/core/inspection/report.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { keepUnits } from '../shared/byteText.js';
import { emitPanelEvent } from './panelEvents.js';
import { severityIcons } from './severityIcons.js';
import { checksInWords, severityCounts } from '../../src/core/pages/findingCounts.js';
import type { TabId } from './viewState.js';

/** One card: a title, an answer, a detail of at most three lines, and where to find more. Needs `summaryCardsStyles`. */
export function summaryCard(
  from: EventTarget,
  title: string,
  answer: TemplateResult,
  detail: string,
  tab?: TabId,
  more = '',
): TemplateResult {
  const link =
    tab === undefined
      ? nothing
      : html`<button class="link" aria-label=${`${title}: ${more}`} @click=${() => emitPanelEvent(from, 'panel-tab', tab)}>
          ${more}
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
    return summaryCard(
      from,
      'Findings',
      html`<p class="big">None</p>`,
      checksInWords(report.checks),
      'findings',
      'what was checked',
    );
  }
  const worst = counts.map(({ severity, text }, index) =>
    index === 0
      ? html`<vscode-icon class=${severity} name=${severityIcons[severity]} size="16"></vscode-icon
          ><span class="big">${text}</span>`
      : html`<span>· ${text}</span>`,
  );
  const first = report.findings.find(({ severity }) => severity === counts[0]?.severity);
  const line = html`<p class="line">${worst}</p>`;
  return summaryCard(from, 'Findings', line, visibleText(first?.message ?? ''), 'findings', 'all findings');
}
