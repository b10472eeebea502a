import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CheckpointReport, PickleImport } from '../../src/core/checkpoints/checkpointReport.js';
import { formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import { fileText } from '../shared/fileText.js';
import { listStep } from '../shared/moreLine.js';
import '../shared/moreLine.js';
import { emitPanelEvent } from '../panel/panelEvents.js';

const shownPaths = 3;

const kindOrder = { unexpected: 0, own: 1, usual: 2 };
const kindLabels = { unexpected: 'unexpected', own: 'needs its code', usual: 'usual' };

/** The functions and classes that pickles name, as facts: a name that frameworks write says nothing of what a file does when loaded. */
@customElement('stowage-imports-view')
export class ImportsView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .intro {
        max-width: 92ch;
        margin-bottom: 10px;
      }
      tbody th {
        color: inherit;
        white-space: normal;
        overflow-wrap: anywhere;
        min-width: 160px;
      }
      .where {
        min-width: 160px;
      }
      .unexpected {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private shown = listStep;

  override render(): TemplateResult {
    const imports = [...this.report.pickleImports].sort(
      (a, b) => kindOrder[a.kind] - kindOrder[b.kind] || a.name.localeCompare(b.name),
    );
    if (imports.length === 0)
      return html`<p class="muted">
        No pickle that was read names a function or class. Pickles that were not read, and other code that loading runs, are under
        Findings.
      </p>`;
    const odd = imports.filter(({ kind }) => kind === 'unexpected').length;
    const own = imports.filter(({ kind }) => kind === 'own').length;
    return html`<p class="intro">
        A pickle names functions and classes, and loading it with full trust calls them. ${counted(imports.length, 'name')}
        ${imports.length === 1 ? 'was' : 'were'} found:
        ${odd === 0 ? 'none is unexpected' : `${formatCount(odd)} ${odd === 1 ? 'is' : 'are'} unexpected`}${own === 0 ? '' : `, ${formatCount(own)} ${own === 1 ? 'needs' : 'need'} code that is not part of a framework's saves`}.
        Usual are names that saves of known frameworks have, which says nothing of what a file does when it is loaded. Calls of
        unexpected names are errors under Findings. Nothing was called.
      </p>
      <div class="scroll-x" tabindex="0" role="group" aria-label="Imports">
        <table>
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">known</th>
              <th scope="col" class="end">files</th>
              <th scope="col">where</th>
            </tr>
          </thead>
          <tbody>
            ${imports.slice(0, this.shown).map((item) => this.renderImport(item))}
          </tbody>
        </table>
      </div>
      <stowage-more-line
        .shown=${this.shown}
        .total=${imports.length}
        @show-more=${() => (this.shown += listStep)}
      ></stowage-more-line>`;
  }

  private renderImport({ name, kind, files, paths }: PickleImport): TemplateResult {
    const more = files - Math.min(paths.length, shownPaths);
    return html`<tr>
      <th scope="row" class="mono">${fileText(name)}</th>
      <td class=${kind === 'unexpected' ? 'unexpected' : 'muted'}>${kindLabels[kind]}</td>
      <td class="end num">${formatCount(files)}</td>
      <td class="mono wrap where">
        ${paths
          .slice(0, shownPaths)
          .map(
            (path, index) =>
              html`${index === 0 ? '' : ', '}<button
                  class="link"
                  @click=${() => emitPanelEvent(this, 'panel-file', { path, offsetBytes: null })}
                >
                  ${fileText(path)}
                </button>`,
          )}${more > 0 ? ` and ${formatCount(more)} more` : ''}
      </td>
    </tr>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-imports-view': ImportsView;
  }
}
