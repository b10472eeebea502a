import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ComparedValuesState, ComparePanelEvents, ComparisonState } from '../../src/protocol/messages.js';
import { emitPanelEvent, onPanelEvent } from '../panel/panelEvents.js';
import { pageFrameStyles } from '../panel/pageFrameStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { isFindKey } from '../shared/findKey.js';
import { onGridEvent } from '../shared/gridEvents.js';
import { PanelController } from '../shared/panelController.js';
import { saidStyles } from '../shared/saidStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { TableMenu } from '../shared/tableMenu.js';
import { onCompareEvent } from './compareEvents.js';
import type { CompareHost } from './compareHost.js';
import './comparePending.js';
import './compareView.js';
import type { CompareView } from './compareView.js';
import { restoreCompareViewState, type CompareViewState } from './compareViewState.js';

/** Both sides, the headline, the tabs. */
const rows: readonly SkeletonRow[] = [{ heightPx: 84 }, { heightPx: 60 }, { heightPx: 280 }];

/** The panel of a comparison: shows what the host sends, and asks it for values. */
@customElement('stowage-compare')
export class StowageCompare extends LitElement {
  static override styles = [
    baseStyles,
    saidStyles,
    pageFrameStyles,
    css`
      h1 {
        min-height: 30px;
      }
    `,
  ];

  @state() private sides: ComparePanelEvents['sides'] | null = null;
  @state() private comparison: ComparisonState = { kind: 'running', progress: null };
  @state() private values: ComparedValuesState = { kind: 'none' };
  @query('stowage-compare-view') private compareView!: CompareView | null;
  private readonly panel = new PanelController<CompareHost, CompareViewState>(this, { restore: restoreCompareViewState });
  private readonly tableMenu = new TableMenu(this);

  /** Takes the connection, restores where the reader stood, and tells the host that the page is ready. */
  connect(host: CompareHost): void {
    this.panel.connect(host);
    const { endpoint } = host;
    endpoint.on('source', ({ uri }) => this.panel.keepSource(uri));
    endpoint.on('sides', (sides) => this.onSides(sides));
    endpoint.on('comparison', (comparison) => (this.comparison = comparison));
    endpoint.on('values', (values) => (this.values = values));
    endpoint.on('copyFromTable', ({ extent }) => void this.tableMenu.table?.copy(extent));
    this.listen(host);
    endpoint.send('ready', {});
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onDocumentKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onDocumentKey);
  }

  override render(): TemplateResult {
    return html`<main>${this.renderShown()}</main>
      ${this.panel.renderSaid()}`;
  }

  private renderShown(): TemplateResult {
    const { sides, comparison, values, panel } = this;
    if (sides === null) return html`<stowage-skeleton .rows=${rows}></stowage-skeleton>`;
    if (comparison.kind !== 'done')
      return html`<stowage-compare-pending .sides=${sides} .state=${comparison}></stowage-compare-pending>`;
    return html`<stowage-compare-view
      .sides=${sides}
      .report=${values.kind === 'done' ? values.report : comparison.report}
      .values=${values}
      .view=${panel.view}
    ></stowage-compare-view>`;
  }

  private onSides(sides: ComparePanelEvents['sides']): void {
    this.sides = sides;
    document.title = visibleText(`${sides.a.name} ↔ ${sides.b.name}`);
  }

  private listen({ endpoint }: CompareHost): void {
    const { panel } = this;
    onCompareEvent(this, 'compare-swap', () => void panel.attempt('Not swapped', endpoint.request('swapSides', {})));
    onCompareEvent(
      this,
      'compare-inspect',
      (side) => void panel.attempt('Not opened', endpoint.request('inspectSide', { side })),
    );
    onCompareEvent(
      this,
      'compare-values',
      (share) => void panel.attempt('Values were not compared', endpoint.request('compareValues', { share })),
    );
    onCompareEvent(
      this,
      'compare-values-cancel',
      () => void panel.attempt('Not cancelled', endpoint.request('cancelValues', {})),
    );
    onCompareEvent(this, 'compare-state', (change) => panel.changeView(change));
    onPanelEvent(this, 'panel-refresh', () => void panel.attempt('Not compared again', endpoint.request('refresh', {})));
    onPanelEvent(this, 'panel-cancel', () => void panel.attempt('Not cancelled', endpoint.request('cancel', {})));
    onPanelEvent(this, 'panel-copy', ({ text, what }) => {
      void panel.attempt('Nothing was copied', endpoint.request('copyText', { text }), () => `Copied: ${what}`);
    });
    onPanelEvent(this, 'panel-export', (kind) => {
      if (kind === 'json')
        void panel.attempt('Not saved', endpoint.request('saveJson', {}), (name) =>
          name === null ? '' : `Saved: ${visibleText(name)}`,
        );
      else
        void panel.attempt(
          'Nothing was copied',
          endpoint.request('copyMarkdown', {}),
          () => 'Copied: the comparison as Markdown',
        );
    });
    onGridEvent(this, 'grid-copy', (copied) => emitPanelEvent(this, 'panel-copy', copied));
    onGridEvent(this, 'grid-say', (text) => panel.say(text));
    onGridEvent(this, 'grid-state', ({ table, state: setUp }) =>
      panel.changeView({ tables: { ...panel.view.tables, [table]: setUp } }),
    );
  }

  /** `/` and Ctrl+F go to the search of the table that is shown. */
  private readonly onDocumentKey = (event: KeyboardEvent): void => {
    if (isFindKey(event) && this.compareView?.focusSearch() === true) event.preventDefault();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-compare': StowageCompare;
  }
}
