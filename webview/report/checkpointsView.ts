import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CheckpointReport, RunCheckpoint, RunPointer } from '../../src/core/report/checkpointReport.js';
import { formatBytes, formatCount } from '../../src/core/report/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import { layoutNames, verdictWords } from './reportWords.js';

/** The checkpoints of a run, the newest first, and what says which one is the newest. */
@customElement('stowage-checkpoints-view')
export class CheckpointsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .pointers {
        margin-bottom: 10px;
      }
      .bad {
        color: var(--vscode-errorForeground);
      }
      td {
        white-space: nowrap;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private shown = listStep;

  override render(): TemplateResult | typeof nothing {
    const { run } = this.report;
    if (run === undefined) return nothing;
    const checkpoints = [...run.checkpoints].reverse();
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
              <th scope="col" class="end">files</th>
              <th scope="col">can training continue?</th>
              <th scope="col">layout</th>
              <th scope="col">written</th>
            </tr>
          </thead>
          <tbody>
            ${checkpoints.slice(0, this.shown).map(renderCheckpoint)}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${checkpoints.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }
}

function renderPointer({ path, target, exists }: RunPointer): TemplateResult {
  return html`<li>
    <span class="mono">${fileText(path)}</span> points to <span class="mono">${fileText(target)}</span>${
      exists ? '' : html`, <span class="bad">which is not here</span>`
    }
  </li>`;
}

function renderCheckpoint({ path, layout, step, bytes, files, modified, verdict, finished }: RunCheckpoint): TemplateResult {
  return html`<tr>
    <th scope="row" class="mono">${path === '' ? 'the model here' : fileText(path)}</th>
    <td class="end num">${step === null ? '' : formatCount(step)}</td>
    <td class="end num" title=${exactBytes(bytes)}>${formatBytes(bytes)}</td>
    <td class="end num">${formatCount(files)}</td>
    <td class=${!finished || verdict === 'broken' ? 'bad' : ''}>
      ${finished ? verdictWords[verdict] : 'No: the save was interrupted'}
    </td>
    <td>${layoutNames[layout]}</td>
    <td class="num muted">${modified === null ? '' : modified.slice(0, 16).replace('T', ' ')}</td>
  </tr>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-checkpoints-view': CheckpointsView;
  }
}
