import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { segmentsOf } from '../../src/core/checkpoints/segments.js';
import { headlineOf } from '../../src/core/pages/checkpoint/headline.js';
import { checkpointVerdict } from '../../src/core/pages/reportVerdict.js';
import type { TensorFacets } from '../../src/core/tensors/tensorQuery.js';
import { baseStyles } from '../shared/baseStyles.js';
import type { TabItem } from '../shared/tabStrip.js';
import './bytesPerParameter.js';
import './componentBar.js';
import './componentsView.js';
import '../panel/filesView.js';
import '../panel/findingsView.js';
import '../panel/headlineView.js';
import '../panel/importsView.js';
import './loadView.js';
import './objectsView.js';
import './checkpointsView.js';
import './ranksView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import '../panel/reportFooter.js';
import '../panel/verificationView.js';
import '../panel/reportHeader.js';
import type { HeaderAction } from '../panel/reportHeader.js';
import { exportMenu } from '../panel/exportMenu.js';
import { ReportElement } from '../panel/reportElement.js';
import type { ReportHost } from '../panel/reportHost.js';
import type { TensorValuesState, ValuesState } from '../../src/protocol/messages.js';
import { subtitleOf } from '../../src/core/pages/checkpoint/subtitle.js';
import { oddCaseOf } from './oddCase.js';
import { reportViewStyles } from '../panel/reportViewStyles.js';
import './summaryCards.js';
import './tensorsView.js';
import './valuesScanView.js';
import type { CheckpointTabId, TabId } from '../panel/viewState.js';

/** A whole report: the answer first, then what proves it, then the tabs. */
@customElement('stowage-report-view')
export class ReportView extends ReportElement<CheckpointReport> {
  static override styles = [baseStyles, reportViewStyles];

  @property({ attribute: false }) facets: TensorFacets | null = null;
  @property({ attribute: false }) host!: ReportHost;
  /** What is known of the values of all tensors. */
  @property({ attribute: false }) values: ValuesState = { kind: 'none' };
  @property({ attribute: false }) tensorValues!: TensorValuesState;

  override willUpdate(): void {
    const tab = shownTab(this.report, this.view.tab);
    this.fills = this.view.tab === tab && filledBy.has(tab);
  }

  override render(): TemplateResult {
    const { report } = this;
    const { size, binarySize, why } = headlineOf(report);
    const verdict = checkpointVerdict(report);
    const tab = shownTab(report, this.view.tab);
    const isTable = this.view.tab === tab && tablesOnly.has(tab);
    return html`
      <stowage-report-header
        .isSaved=${true}
        .name=${this.name}
        .path=${report.path}
        .subtitle=${subtitleOf(report)}
        .exports=${exportMenu(report, this.view.query)}
        .summary=${isTable ? { size, totalBytes: report.totalBytes, verdict } : null}
        .refreshing=${this.refreshing}
        .actions=${[compareAction(this), ...this.actionsOf(report.totalBytes)]}
      ></stowage-report-header>
      ${
        isTable
          ? nothing
          : html`<stowage-headline
              .verdict=${verdict}
              .totalBytes=${report.totalBytes}
              .size=${size}
              .binarySize=${binarySize}
              .answer=${why}
            ></stowage-headline>`
      }
      ${isTable ? nothing : this.renderProof()}
      <stowage-tab-strip
        label="Parts of the report"
        .tabs=${tabsOf(report)}
        .selected=${tab}
        .fills=${this.fills}
        @tab-select=${(event: CustomEvent<TabId>) => emitPanelEvent(this, 'panel-tab', event.detail)}
        >${this.renderTab()}</stowage-tab-strip
      >
      <stowage-report-footer .report=${report}></stowage-report-footer>
    `;
  }

  /** What proves the headline: all bytes, what they are of each parameter, and the answers to the next questions. */
  private renderProof(): TemplateResult {
    const { report } = this;
    const odd = oddCaseOf(report);
    return html`${odd === null ? nothing : html`<p class="odd" role="note">${odd}</p>`}
    ${report.totalBytes === 0 ? nothing : html`<stowage-component-bar .report=${report}></stowage-component-bar>`}
    ${
      report.bytesPerParameter === null
        ? nothing
        : html`<stowage-bytes-per-parameter .report=${report}></stowage-bytes-per-parameter>`
    }
    ${report.files.length === 0 ? nothing : html`<stowage-summary-cards .report=${report}></stowage-summary-cards>`}`;
  }

  private renderTab(): TemplateResult {
    const { report, view, fills } = this;
    const { tables } = view;
    switch (shownTab(report, view.tab)) {
      case 'components':
        return html`<stowage-components-view .report=${report}></stowage-components-view>`;
      case 'files':
        return html`<stowage-files-view
          .report=${report}
          .tables=${tables}
          .rank=${view.fileRank}
          .fills=${fills}
        ></stowage-files-view>`;
      case 'tensors':
        return html`<stowage-tensors-view
          .report=${report}
          .facets=${this.facets}
          .query=${view.query}
          .shape=${view.tensorsAs}
          .toggled=${view.toggledModules}
          .openTensor=${view.openTensor}
          .values=${this.tensorValues}
          .tables=${tables}
          .fills=${fills}
          .host=${this.host}
        ></stowage-tensors-view>`;
      case 'loading':
        return report.load === undefined ? html`` : html`<stowage-load-view .load=${report.load}></stowage-load-view>`;
      case 'objects':
        return html`<stowage-objects-view .report=${report} .expanded=${view.expanded} .tables=${tables}></stowage-objects-view>`;
      case 'ranks':
        return html`<stowage-ranks-view .report=${report} .tables=${tables}></stowage-ranks-view>`;
      case 'checkpoints':
        return html`<stowage-checkpoints-view .report=${report} .tables=${tables}></stowage-checkpoints-view>`;
      case 'integrity':
        return html`<stowage-verification-view
            .state=${this.verification}
            .totalBytes=${report.totalBytes}
            .logged=${report.loggedChecks ?? []}
            .tables=${tables}
          ></stowage-verification-view>
          ${
            report.tensorCount === 0
              ? nothing
              : html`<stowage-values-scan
                  .state=${this.values}
                  .logged=${report.loggedChecks ?? []}
                  .tables=${tables}
                ></stowage-values-scan>`
          }`;
      case 'findings':
        return html`<stowage-findings-view .report=${report}></stowage-findings-view>`;
      case 'imports':
        return html`<stowage-imports-view .report=${report} .tables=${tables} .fills=${fills}></stowage-imports-view>`;
    }
  }
}

function compareAction(view: ReportView): HeaderAction {
  return { label: 'Compare…', icon: 'compare-changes', yields: true, choose: () => emitPanelEvent(view, 'panel-compare', null) };
}

/** Tabs whose table takes the page once it is chosen: the headline becomes a line of the header. */
const tablesOnly = new Set<CheckpointTabId>(['files', 'tensors', 'objects', 'findings', 'imports', 'integrity']);

/** Of these tabs, those that are one table. */
const filledBy = new Set<CheckpointTabId>(['files', 'tensors', 'imports']);

/** Until one is chosen, or where the chosen one is not there: the first; of what does not load why that is. */
function shownTab(report: CheckpointReport, chosen: TabId | null): CheckpointTabId {
  const tabs = tabsOf(report);
  const first = report.resume.verdict === 'broken' && report.findings.length > 0 ? 'findings' : tabs[0]?.id;
  return tabs.find(({ id }) => id === chosen)?.id ?? first ?? 'components';
}

/** Tabs of what there is: only a run has checkpoints, and ranks are there to be compared. */
function tabsOf(report: CheckpointReport): (TabItem & { id: CheckpointTabId })[] {
  const checkpoints = report.run?.checkpoints.length ?? 0;
  return [
    ...(checkpoints === 0 ? [] : [{ id: 'checkpoints' as const, label: 'Checkpoints', count: checkpoints }]),
    { id: 'components', label: 'Components', count: segmentsOf(report).length },
    { id: 'files', label: 'Files', count: report.files.length },
    { id: 'tensors', label: 'Tensors', count: report.tensorCount },
    ...(report.load === undefined ? [] : [{ id: 'loading' as const, label: 'Loading' }]),
    { id: 'objects', label: 'Objects', count: report.objects.length },
    ...(report.ranks.length < 2 ? [] : [{ id: 'ranks' as const, label: 'Ranks', count: report.ranks.length }]),
    { id: 'findings', label: 'Findings', count: report.findings.length },
    { id: 'imports', label: 'Imports', count: report.pickleImports.length },
    ...(report.totalBytes === 0 ? [] : [{ id: 'integrity' as const, label: 'Integrity' }]),
  ];
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-report-view': ReportView;
  }
}
