import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { EstimateReport, PlacedEstimate } from '../../src/core/estimates/estimateReport.js';
import type { WhatIfChanges } from '../../src/core/pages/estimate/whatIf.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { EstimatePanelEvents } from '../../src/protocol/messages.js';
import '../panel/headlineView.js';
import { emitPanelEvent, onPanelEvent } from '../panel/panelEvents.js';
import { pageFrameStyles } from '../panel/pageFrameStyles.js';
import '../panel/reportHeader.js';
import { baseStyles } from '../shared/baseStyles.js';
import { onDisclosure } from '../shared/disclosure.js';
import { isFindKey } from '../shared/findKey.js';
import { onGridEvent } from '../shared/gridEvents.js';
import { PanelController } from '../shared/panelController.js';
import { saidStyles } from '../shared/saidStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { TableMenu } from '../shared/tableMenu.js';
import { onEstimateEvent } from './estimateEvents.js';
import type { EstimateHost } from './estimateHost.js';
import './estimateView.js';
import { restoreEstimateViewState, type EstimateViewState } from './estimateViewState.js';

/** What the panel shows of a config: its estimate, or why there is none. */
type Shown = EstimatePanelEvents['estimate'] | (Omit<EstimatePanelEvents['estimate'], 'estimate'> & { problem: string });

/** The headline, the bar and a table. */
const rows: readonly SkeletonRow[] = [{ heightPx: 84 }, { heightPx: 30 }, { heightPx: 220 }];

/** The panel of an estimate: shows what the host sends whenever the config has changed. */
@customElement('stowage-estimate')
export class StowageEstimate extends LitElement {
  static override styles = [baseStyles, saidStyles, pageFrameStyles];

  @state() private shown: Shown | null = null;
  /** With other values; null where none are tried. */
  @state() private changed: EstimateReport | null = null;
  /** Of several tries under way only the newest is shown. */
  private newestTry = 0;
  @query('stowage-estimate-view') private estimateView!: HTMLElementTagNameMap['stowage-estimate-view'] | null;
  private readonly panel = new PanelController<EstimateHost, EstimateViewState>(this, { restore: restoreEstimateViewState });
  private readonly tableMenu = new TableMenu(this);

  /** Takes the connection, restores where the reader stood, and tells the host that the page is ready. */
  connect(host: EstimateHost): void {
    this.panel.connect(host);
    const { endpoint } = host;
    endpoint.on('source', ({ uri }) => this.panel.keepSource(uri));
    endpoint.on('estimate', (shown) => this.show(shown));
    endpoint.on('failed', ({ name, path, message }) => this.show({ name, path, problem: message }));
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
    const { shown } = this;
    if (shown === null) return html`<stowage-skeleton .rows=${rows}></stowage-skeleton>`;
    if ('problem' in shown)
      return renderProblem(shown, { severity: 'error', text: 'The config could not be read:', more: shown.problem });
    if (shown.estimate === null)
      return renderProblem(shown, { severity: 'note', text: 'This is not a supported model or training config.', more: '' });
    return this.renderEstimate(shown, shown.estimate);
  }

  private renderEstimate({ name, path }: EstimatePanelEvents['estimate'], estimate: PlacedEstimate): TemplateResult {
    return html`<stowage-estimate-view
      .name=${name}
      .path=${path}
      .report=${estimate}
      .changed=${this.changed}
      .view=${this.panel.view}
    ></stowage-estimate-view>`;
  }

  private show(shown: Shown): void {
    this.shown = shown;
    this.changed = null;
    document.title = visibleText(shown.name);
  }

  private listen({ endpoint }: EstimateHost): void {
    onEstimateEvent(this, 'estimate-tab', (tab) => this.showTab(tab));
    onEstimateEvent(this, 'estimate-what-if', (changes) => void this.tryOut(endpoint, changes));
    onDisclosure(this, ({ id, isOpen }) => this.panel.changeView({ opened: { ...this.panel.view.opened, [id]: isOpen } }));
    onEstimateEvent(
      this,
      'estimate-open',
      (offset) => void this.panel.attempt('The config could not be opened', endpoint.request('openConfig', { offset })),
    );
    onPanelEvent(this, 'panel-copy', ({ text, what }) => {
      void this.panel.attempt('Nothing was copied', endpoint.request('copyText', { text }), () => `Copied: ${what}`);
    });
    onPanelEvent(this, 'panel-export', () => {
      const copied = endpoint.request('copyMarkdown', {});
      void this.panel.attempt('Nothing was copied', copied, () => 'Copied: the estimate as Markdown');
    });
    onPanelEvent(this, 'panel-reveal', () => void this.panel.attempt('Not shown', endpoint.request('reveal', {})));
    onPanelEvent(this, 'panel-plan', () => void this.panel.attempt('No plan was opened', endpoint.request('plan', {})));
    onGridEvent(this, 'grid-copy', (copied) => emitPanelEvent(this, 'panel-copy', copied));
    onGridEvent(this, 'grid-say', (text) => this.panel.say(text));
    onGridEvent(this, 'grid-state', ({ table, state }) =>
      this.panel.changeView({ tables: { ...this.panel.view.tables, [table]: state } }),
    );
  }

  private async tryOut(endpoint: EstimateHost['endpoint'], changes: WhatIfChanges | null): Promise<void> {
    this.newestTry += 1;
    const turn = this.newestTry;
    if (changes === null) {
      this.changed = null;
      return;
    }
    const take = (changed: EstimateReport | null): void => {
      if (turn === this.newestTry) this.changed = changed;
    };
    await this.panel.attempt('Not estimated', endpoint.request('whatIf', { changes }).then(take));
  }

  private showTab(tab: EstimateViewState['tab']): void {
    this.panel.changeView({ tab });
    void this.updateComplete.then(() => this.estimateView?.focusTab());
  }

  /** `/` and Ctrl+F go to the search of the table that is shown. */
  private readonly onDocumentKey = (event: KeyboardEvent): void => {
    const { estimateView } = this;
    if (!isFindKey(event) || estimateView === null) return;
    event.preventDefault();
    estimateView.focusSearch();
  };
}

/** A config without an estimate, in the same place as one with. */
function renderProblem(
  { name, path }: Pick<Shown, 'name' | 'path'>,
  verdict: HTMLElementTagNameMap['stowage-headline']['verdict'],
): TemplateResult {
  return html`<stowage-report-header .name=${name} .path=${path} .isPlanned=${false}></stowage-report-header>
    <stowage-headline .verdict=${{ ...verdict, more: visibleText(verdict.more) }}></stowage-headline>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-estimate': StowageEstimate;
  }
}
