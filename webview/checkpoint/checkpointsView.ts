import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CheckpointReport, RunCheckpoint, RunPointer } from '../../src/core/checkpoints/checkpointReport.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { timeText, verdictWords } from '../../src/core/pages/checkpoint/checkpointWords.js';
import { layoutLabels } from '../../src/core/text/frameworkLabels.js';

/** The checkpoints of a run, the newest first, and what says which one is the newest. A checkpoint opens in a report of its own. */
@customElement('stowage-checkpoints-view')
export class CheckpointsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .pointers {
        margin-bottom: 10px;
      }
      /* The sign has the colour: the theme's red is too pale for text on white. */
      .bad {
        color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
        vertical-align: -3px;
      }
      .num {
        white-space: nowrap;
      }
      th[scope='row'] {
        min-width: 12em;
        white-space: normal;
      }
      .verdict {
        min-width: 8.5em;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private shown = listStep;

  override render(): TemplateResult | typeof nothing {
    const { run } = this.report;
    if (run === undefined) return nothing;
    const checkpoints = [...run.checkpoints].reverse();
    const hasLayouts = new Set(checkpoints.map(({ layout }) => layout)).size > 1;
    const hasTimes = checkpoints.some(({ modified }) => modified !== null);
    return html`${
        run.pointers.length === 0
          ? nothing
          : html`<ul class="pointers">
              ${run.pointers.map(renderPointer)}
            </ul>`
      }
      <div class="scroll-x">
        <table>
          <caption class="visually-hidden">
            Checkpoints of the run
          </caption>
          <thead>
            <tr>
              <th scope="col">checkpoint</th>
              <th scope="col" class="end">step</th>
              <th scope="col" class="end">size</th>
              <th scope="col">resume</th>
              <th scope="col" class="end">files</th>
              ${hasLayouts ? html`<th scope="col">layout</th>` : nothing}
              ${hasTimes ? html`<th scope="col">written (UTC)</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${checkpoints.slice(0, this.shown).map((checkpoint) => this.renderCheckpoint(checkpoint, hasLayouts, hasTimes))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${checkpoints.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }

  private renderCheckpoint(checkpoint: RunCheckpoint, hasLayouts: boolean, hasTimes: boolean): TemplateResult {
    const { path, layout, step, bytes, files, modified, verdict, finished } = checkpoint;
    return html`<tr>
      <th scope="row">${this.renderName(path)}</th>
      <td class="end num">${step === null ? '' : formatCount(step)}</td>
      <td class="end num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</td>
      <td class="verdict">
        ${!finished || verdict === 'broken' ? badSign : nothing}${finished ? verdictWords[verdict] : 'unfinished'}
      </td>
      <td class="end num">${formatCount(files)}</td>
      ${hasLayouts ? html`<td>${layoutLabels[layout]}</td>` : nothing}
      ${hasTimes ? html`<td class="num muted">${timeText(modified)}</td>` : nothing}
    </tr>`;
  }

  /** What lies in the run's own directory is no directory that could be inspected by itself. */
  private renderName(path: string): TemplateResult {
    if (path === '') return html`the model here`;
    return html`<button
      class="link mono wrap"
      title="Open the report of this checkpoint"
      @click=${() => emitPanelEvent(this, 'panel-checkpoint', { path })}
    >
      ${fileText(path)}
    </button>`;
  }
}

const badSign = html`<vscode-icon class="bad" name="error" size="14"></vscode-icon> `;

function renderPointer({ path, target, exists }: RunPointer): TemplateResult {
  return html`<li class="wrap">
    <span class="mono">${fileText(path)}</span> points to <span class="mono">${fileText(target)}</span>${
      exists ? nothing : html`, ${badSign}which is missing`
    }
  </li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-checkpoints-view': CheckpointsView;
  }
}
