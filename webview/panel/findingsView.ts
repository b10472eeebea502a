import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CheckpointReport, Reshard } from '../../src/core/checkpoints/checkpointReport.js';
import type { FindingReport } from '../../src/core/findings/finding.js';
import type { Report } from '../../src/core/inspection/report.js';
import { headlineOf } from '../../src/core/pages/checkpoint/headline.js';
import { labelOfComponent } from '../../src/core/checkpoints/segments.js';
import { formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { twoColumnStyles } from '../shared/twoColumnStyles.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { findingItem } from './findingItem.js';
import { findingsViewStyles } from './findingsViewStyles.js';
import { emitPanelEvent } from './panelEvents.js';
import { otherSizesOf, resumeWords } from '../../src/core/pages/checkpoint/checkpointWords.js';
import { severityStyles } from '../shared/severityStyles.js';
import { checksInWords, countsInWords, sortedFindings } from '../../src/core/pages/findingCounts.js';

/** Each finding with its place, effect and advice; the resume verdict of a checkpoint; what was checked and what was not. */
@customElement('stowage-findings-view')
export class FindingsView extends LitElement {
  static override styles = [baseStyles, twoColumnStyles, severityStyles, findingsViewStyles];

  @property({ attribute: false }) report!: Report;
  @state() private shown = listStep;

  override render(): TemplateResult {
    const { report } = this;
    const findings = sortedFindings(report);
    return html`<div class="two">
      <section aria-label="Findings">
        ${
          findings.length === 0
            ? html`<p class="none">${checksInWords(report.checks)}.</p>`
            : html`<ul>
                  ${findings.slice(0, this.shown).map((finding) => this.renderFinding(finding))}
                </ul>
                <stowage-more-line
                  .shown=${this.shown}
                  .total=${findings.length}
                  .rest=${countsInWords(findings.slice(this.shown))}
                  @show-more=${() => (this.shown += listStep)}
                ></stowage-more-line>`
        }
      </section>
      <div>${report.kind === 'checkpoint' ? renderResume(report) : nothing} ${this.renderChecks()}</div>
    </div>`;
  }

  private renderFinding(finding: FindingReport): TemplateResult {
    const { path, offset } = finding;
    if (path === null) return findingItem(finding, null);
    const place = offset === null ? nothing : html`<span class="num"> at byte ${formatCount(offset)}</span>`;
    return findingItem(finding, {
      title: 'Open the file',
      text: html`${fileText(path)}${place}`,
      open: () => emitPanelEvent(this, 'panel-file', { path, offsetBytes: offset }),
    });
  }

  private renderChecks(): TemplateResult {
    const { done, notDone } = this.report.checks;
    return html`<section class="side" aria-labelledby="checks">
      <h2 id="checks">What was checked</h2>
      ${done.length === 0 ? html`<p class="muted">No checks were done.</p>` : list(done)}
      ${
        notDone.length === 0
          ? nothing
          : html`<h3>Not checked</h3>
              ${list(notDone)}`
      }
    </section>`;
  }
}

function renderResume(report: CheckpointReport): TemplateResult {
  const { resume } = report;
  return html`<section class="side" aria-labelledby="resume">
    <h2 id="resume">Resume: ${resumeWords(resume)}</h2>
    <p>${headlineOf(report).resume}</p>
    ${resume.blockedBy.length === 0 ? nothing : html`<p>Blocked by: <span class="mono">${visibleText(resume.blockedBy.join(', '))}</span></p>`}
    ${
      resume.present.length === 0 && resume.missing.length === 0
        ? nothing
        : html`<ul class="parts">
            ${resume.present.map(
              (component) =>
                html`<li>
                  <vscode-icon name="check" size="14"></vscode-icon
                  ><span>${labelOfComponent(component)}: ${resume.verdict === 'broken' ? 'found' : 'present'}</span>
                </li>`,
            )}
            ${resume.missing.map(
              ({ component, effect }) =>
                html`<li>
                  <vscode-icon name="dash" size="14"></vscode-icon
                  ><span>${labelOfComponent(component)}: missing. <span class="muted">${fileText(effect)}</span></span>
                </li>`,
            )}
          </ul>`
    }
    ${resume.reshard === undefined ? nothing : renderOtherSizes(resume.reshard)}
  </section>`;
}

/** Whether jobs of other sizes load it, and what converts it. */
function renderOtherSizes({ detail, command, changes }: Reshard): TemplateResult {
  return html`<h3>With other sizes</h3>
    <ul class="checks">
      ${otherSizesOf(changes).map(({ size, answer }) => html`<li>${size}: ${answer}</li>`)}
    </ul>
    <p class="muted">${fileText(detail)}</p>
    ${command === null ? nothing : html`<p class="mono wrap">${fileText(command)}</p>`}`;
}

function list(items: string[]): TemplateResult {
  return html`<ul class="checks">
    ${items.map((item) => html`<li>${fileText(item)}</li>`)}
  </ul>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-findings-view': FindingsView;
  }
}
