import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { PickleImport } from '../../src/core/formats/pickle/imports/importList.js';
import { formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { counted } from '../../src/core/text/quantities.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import { middleText } from '../shared/middleText.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent } from './panelEvents.js';

const shownPaths = 3;

const kindOrder = { unexpected: 0, own: 1, usual: 2 };
const kindLabels = { unexpected: 'unexpected', own: 'needs its code', usual: 'usual' };

/** The functions and classes that pickles name, as facts: a name that frameworks write says nothing of what a file does when loaded. */
@customElement('stowage-imports-view')
export class ImportsView extends LitElement {
  static override styles = [
    baseStyles,
    gridViewStyles,
    css`
      .intro {
        max-width: 92ch;
        margin-bottom: 10px;
      }
    `,
  ];

  @property({ attribute: false }) report!: { pickleImports?: readonly PickleImport[] };
  @property({ attribute: false }) tables: GridStates = {};
  @property({ type: Boolean, reflect: true }) fills = false;
  @query('stowage-data-grid') private grid!: DataGrid | null;
  private imports: readonly PickleImport[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('report')) return;
    this.imports = [...(this.report.pickleImports ?? [])].sort(
      (a, b) => kindOrder[a.kind] - kindOrder[b.kind] || a.name.localeCompare(b.name),
    );
  }

  override render(): TemplateResult {
    const { imports } = this;
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
      <stowage-data-grid
        .name=${'imports'}
        .label=${'Imports'}
        .noun=${'name'}
        .columns=${this.columns}
        .rows=${imports}
        .state=${this.tables['imports'] ?? initialGridState}
        .fills=${this.fills}
        @grid-open=${({ detail: { row } }: CustomEvent<RowAt<PickleImport>>) => this.open(row?.paths[0])}
      ></stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private readonly columns: GridColumn<PickleImport>[] = [
    {
      id: 'name',
      label: 'name',
      widthPx: 260,
      value: ({ name }) => name,
      cell: ({ name }) => html`<span class="mono">${middleText(name)}</span>`,
      title: ({ name }) => visibleText(name),
    },
    {
      id: 'kind',
      label: 'known',
      widthPx: 116,
      worth: Infinity,
      value: ({ kind }) => kindLabels[kind],
      cell: ({ kind }) =>
        kind === 'unexpected' ? html`<strong>${kindLabels[kind]}</strong>` : html`<span class="muted">${kindLabels[kind]}</span>`,
    },
    { id: 'files', label: 'files', widthPx: 70, isNumber: true, value: ({ files }) => files },
    {
      id: 'where',
      label: 'where',
      widthPx: 230,
      worth: 1,
      value: ({ paths }) => paths.join(', '),
      cell: (item) => this.renderPlaces(item),
      title: ({ paths }) => paths.map(visibleText).join('\n'),
    },
  ];

  private renderPlaces({ files, paths }: PickleImport): TemplateResult {
    const more = files - Math.min(paths.length, shownPaths);
    return html`${paths
      .slice(0, shownPaths)
      .map(
        (path, index) =>
          html`${index === 0 ? nothing : ', '}<button class="link mono cell-link" tabindex="-1" @click=${() => this.open(path)}>
              ${middleText(path)}
            </button>`,
      )}${more > 0 ? ` and ${formatCount(more)} more` : nothing}`;
  }

  private open(path: string | undefined): void {
    if (path !== undefined) emitPanelEvent(this, 'panel-file', { path, offsetBytes: null });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-imports-view': ImportsView;
  }
}
