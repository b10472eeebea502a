/** What the log beside a path has of it, where nothing was asked for yet. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { LoggedCheck } from '../../src/core/findings/loggedCheck.js';
import { loggedSentence, loggedState, type LoggedState } from '../../src/core/pages/verification/loggedChecks.js';
import { counted } from '../../src/core/text/quantities.js';
import { verdictIcon } from './severityIcons.js';

/** Lines, of a run one for each checkpoint. */
const mostLines = 20;

/** The green mark stands only where nothing was left out. */
function iconOf(check: LoggedCheck): 'error' | 'note' | 'fine' {
  const state = loggedState(check);
  if (state === 'failed') return 'error';
  const isWhole = check.what === 'values' ? check.notRead === 0 : check.coveredBytes === check.ofBytes;
  return state === 'passed' && isWhole ? 'fine' : 'note';
}

/** What was found when one of the two was last done, what failed first; nothing without a log. */
export function renderLogged(checks: readonly LoggedCheck[], what: LoggedCheck['what']): TemplateResult | typeof nothing {
  const own = checks.filter((check) => check.what === what);
  if (own.length === 0) return nothing;
  const order: readonly LoggedState[] = ['failed', 'open', 'passed'];
  const sorted = order.flatMap((state) => own.filter((check) => loggedState(check) === state));
  const rest = sorted.length - mostLines;
  return html`<ul class="logged" aria-label="From the log">
    ${sorted.slice(0, mostLines).map((check) => html`<li>${verdictIcon(iconOf(check), 14)}<span>${loggedSentence(check)}</span></li>`)}
    ${rest > 0 ? html`<li>${counted(rest, 'more entry', 'more entries')} in the log</li>` : nothing}
  </ul>`;
}

export const loggedChecksStyles = css`
  .logged {
    margin: 12px 0;
    padding: 0;
    list-style: none;
    max-width: 72ch;
  }
  .logged li {
    display: flex;
    gap: 8px;
    align-items: baseline;
    overflow-wrap: anywhere;
  }
`;
